"""Rows of the office's dashboard: each app registers what needs attention."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone
from django.utils.formats import date_format

from pergioco.core.models import User
from pergioco.core.policy import Role, has_role

URGENCIES = ("urgent", "soon", "")


@dataclass(frozen=True)
class Need:
    sentence: str
    button: str
    address: str
    urgency: str = ""  # a class of the row: urgent, soon, or none


Question = Callable[[User], Need | None]
# place on the dashboard -> roles that see it, function that finds it
registered_needs: dict[int, tuple[tuple[Role, ...], Question]] = {}


def register_need(place: int, roles: tuple[Role, ...], question: Question) -> None:
    """Among equally urgent rows, the lowest place comes first."""
    if registered_needs.setdefault(place, (roles, question))[1] is not question:
        raise ValueError(f"Two rows of the dashboard have the place {place}.")


def list_needs(user: User) -> list[Need]:
    """The rows that this user's roles may handle, most urgent first."""
    return sorted(find_needs(user), key=lambda one: URGENCIES.index(one.urgency))


def find_needs(user: User) -> Iterator[Need]:
    for _place, (roles, question) in sorted(registered_needs.items(), key=lambda one: one[0]):
        found = question(user) if has_role(user, *roles) else None
        if found is not None:
            yield found


def make_need(
    count: int, sentence: str, button: str, address: str, *, urgency: str = "", **values: object
) -> Need | None:
    return Need(sentence % {"n": count, **values}, button, address, urgency) if count else None


def format_need_day(when: date | datetime | None) -> str:
    # In Rome's time zone
    local = timezone.localtime(when) if isinstance(when, datetime) else when
    return date_format(local) if local else ""
