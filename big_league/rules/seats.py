"""Chapter 2: who has a seat where seats are limited, and in which order the others wait."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pergioco.rulekit.paragraph import paragraph


@dataclass(frozen=True)
class Asked:
    """Somebody who wants to come; `number` tells those of one moment apart."""

    number: int
    brings_box: bool
    at: datetime


@dataclass(frozen=True)
class Line:
    """Numbers of those with a seat and of those who wait, each in their order."""

    seated: tuple[int, ...]
    waiting: tuple[int, ...]

    def place_of(self, number: int) -> int:
        """In the waiting list; 0 with a seat."""
        return self.waiting.index(number) + 1 if number in self.waiting else 0


@paragraph("BIG", "2")
def in_line(asked: Iterable[Asked], seats: int | None) -> Line:
    """Where seats are limited whoever brings a box comes first, then whoever asked earlier."""
    order = sorted(asked, key=lambda one: (seats is not None and not one.brings_box, one.at, one.number))
    numbers = tuple(one.number for one in order)
    return Line(numbers[:seats], () if seats is None else numbers[seats:])
