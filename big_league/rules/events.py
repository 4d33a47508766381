"""Hints about a request (BIG 1), and who has a seat where seats are limited (BIG 2)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from pergioco.rulekit.paragraph import paragraph

NOTICE = timedelta(days=7)
WHOLE_POINTS_FROM = 6


class Hint(StrEnum):
    SHORT_NOTICE = "short_notice"
    HALF_POINTS = "half_points"
    TWO_ONLY = "two_only"


@dataclass(frozen=True)
class PlannedEvent:
    """`two_only`: one of the games has tables of two only."""

    asked_on: date
    starts_on: date
    expected: int | None
    capacity: int | None
    two_only: bool


@paragraph("BIG", "1")
def request_hints(planned: PlannedEvent) -> tuple[Hint, ...]:
    return tuple(find_hints(planned))


def find_hints(planned: PlannedEvent) -> Iterator[Hint]:
    if planned.starts_on - planned.asked_on < NOTICE:
        yield Hint.SHORT_NOTICE
    if any(n is not None and n < WHOLE_POINTS_FROM for n in (planned.expected, planned.capacity)):
        yield Hint.HALF_POINTS
    if planned.two_only:
        yield Hint.TWO_ONLY


@dataclass(frozen=True)
class Applicant:
    """`number` orders sign-ups of the same moment."""

    number: int
    brings_box: bool
    at: datetime


@dataclass(frozen=True)
class WaitingLine:
    seated: tuple[int, ...]
    waiting: tuple[int, ...]

    def place_of(self, number: int) -> int:
        """Place in the waiting list; 0 with a seat."""
        return self.waiting.index(number) + 1 if number in self.waiting else 0


@paragraph("BIG", "2")
def order_applicants(applicants: Iterable[Applicant], seats: int | None) -> WaitingLine:
    """With limited seats players with a box come first, then by time."""
    order = sorted(
        applicants, key=lambda one: (seats is not None and not one.brings_box, one.at, one.number)
    )
    numbers = tuple(one.number for one in order)
    return WaitingLine(numbers[:seats], () if seats is None else numbers[seats:])
