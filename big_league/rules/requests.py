"""Chapter 1: what deserves a word to whoever asks for a tournament. Nothing of it stands in the way."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from pergioco.rulekit.paragraph import paragraph

NOTICE = timedelta(days=7)
WHOLE_POINTS_FROM = 6


class Hint(StrEnum):
    SHORT_NOTICE = "short_notice"
    HALF_POINTS = "half_points"
    TWO_ONLY = "two_only"


@dataclass(frozen=True)
class Planned:
    """How many may come: expected, and seats if they are limited; `two_only`: a game has tables of two and no other."""

    asked_on: date
    starts_on: date
    expected: int | None
    capacity: int | None
    two_only: bool


@paragraph("BIG", "1")
def hints(planned: Planned) -> tuple[Hint, ...]:
    return tuple(hints_of(planned))


def hints_of(planned: Planned) -> Iterator[Hint]:
    if planned.starts_on - planned.asked_on < NOTICE:
        yield Hint.SHORT_NOTICE
    if any(n is not None and n < WHOLE_POINTS_FROM for n in (planned.expected, planned.capacity)):
        yield Hint.HALF_POINTS
    if planned.two_only:
        yield Hint.TWO_ONLY
