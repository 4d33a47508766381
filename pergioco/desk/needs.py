"""One row of what needs somebody now."""

from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone
from django.utils.formats import date_format


@dataclass(frozen=True)
class Need:
    sentence: str
    button: str
    address: str
    urgency: str = ""  # a class of the row: urgent, soon, or none


def need(count: int, sentence: str, button: str, address: str, *, urgency: str = "", **values: object) -> Need | None:
    return Need(sentence % {"n": count, **values}, button, address, urgency) if count else None


def day(when: date | datetime | None) -> str:
    """The day in Rome; nothing where there is nothing to tell."""
    local = timezone.localtime(when) if isinstance(when, datetime) else when
    return date_format(local) if local else ""
