"""The course of a player's ratings as lines on paper: where everything stands, in units of the drawing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 704, 16, 296
MOST_LINES = 6  # as many as there are marks that are told apart in black
STEPS = (10, 20, 50, 100, 200, 500, 1000)  # PGR points between two rules
MOST_RULES = 5
THOUSAND = 1000
MARKS = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M-5-5h10v10h-10z",
    "M0-6.5 6 5h-12z",
    "M0-7 6 0 0 7-6 0z",
    "M0 6.5 6-5h-12z",
    "M-6-2h4v-4h4v4h4v4h-4v4h-4v-4h-4z",
)


@dataclass(frozen=True)
class Rating:
    day: date
    pgr: int  # thousandths


@dataclass(frozen=True)
class Point:
    x: int
    y: int
    rating: Rating


@dataclass(frozen=True)
class Drawn:
    number: int  # from one: it has its own dashes and its own mark
    name: str
    points: list[Point]

    @property
    def line(self) -> str:
        return " ".join(f"{point.x},{point.y}" for point in self.points)

    @property
    def mark(self) -> str:
        return MARKS[self.number - 1]


@dataclass(frozen=True)
class Chart:
    lines: list[Drawn]
    rules: list[tuple[int, int]]  # y, PGR in points
    days: list[tuple[int, date]]  # x, day
    left_out: int

    width, height, left, right, top, bottom = WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM


def chart(series: Iterable[tuple[str, Sequence[Rating]]]) -> Chart | None:
    """Those with the most ratings, if there are too many to be told apart; nothing to draw without any."""
    found = sorted((one for one in series if one[1]), key=lambda one: -len(one[1]))
    shown = found[:MOST_LINES]
    if not shown:
        return None
    paper = paper_for([rating for _name, ratings in shown for rating in ratings])
    lines = [Drawn(n, name, [paper.point(one) for one in ratings]) for n, (name, ratings) in enumerate(shown, 1)]
    return Chart(lines, paper.rules, paper.days, len(found) - len(shown))


@dataclass(frozen=True)
class Paper:
    """What there is room for, from edge to edge."""

    first: date
    last: date
    low: int
    high: int
    step: int  # PGR points from one rule to the next

    def point(self, rating: Rating) -> Point:
        return Point(across(rating.day, self.first, self.last), upward(rating.pgr, self.low, self.high), rating)

    @property
    def rules(self) -> list[tuple[int, int]]:
        pgrs = range(self.low // THOUSAND, self.high // THOUSAND + 1, self.step)
        return [(upward(pgr * THOUSAND, self.low, self.high), pgr) for pgr in pgrs]

    @property
    def days(self) -> list[tuple[int, date]]:
        middle = self.first + timedelta(days=(self.last - self.first).days // 2)
        return [(across(day, self.first, self.last), day) for day in dict.fromkeys((self.first, middle, self.last))]


def paper_for(ratings: Sequence[Rating]) -> Paper:
    days = [rating.day for rating in ratings]
    return Paper(min(days), max(days), *bounds([rating.pgr for rating in ratings]))


def bounds(pgrs: Sequence[int]) -> tuple[int, int, int]:
    """The lowest and the highest rule, in thousandths, and the points from one rule to the next."""
    low, high = min(pgrs), max(pgrs)
    for step in STEPS:
        unit = step * THOUSAND
        bottom, top = low // unit * unit, -(-high // unit) * unit
        if bottom == top:
            top += unit
        if (top - bottom) // unit < MOST_RULES:
            break
    return bottom, top, step


def across(day: date, first: date, last: date) -> int:
    if first == last:
        return (LEFT + RIGHT) // 2
    return LEFT + (RIGHT - LEFT) * (day - first).days // (last - first).days


def upward(pgr: int, low: int, high: int) -> int:
    return BOTTOM - (BOTTOM - TOP) * (pgr - low) // (high - low)
