"""A player's ratings over time as lines of a drawing, in its units."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from pergioco.rulekit.numbers import PER_POINT

WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 704, 16, 296
MOST_LINES = 6  # as many as there are marks that differ in black
STEPS = (10, 20, 50, 100, 200, 500, 1000)  # PGR points between two rules
MOST_RULES = 5
MARKS = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "M-5-5h10v10h-10z",
    "M0-6.5 6 5h-12z",
    "M0-7 6 0 0 7-6 0z",
    "M0 6.5 6-5h-12z",
    "M-6-2h4v-4h4v4h4v4h-4v4h-4v-4h-4z",
)


@dataclass(frozen=True)
class ChartRating:
    day: date
    pgr: int  # thousandths


@dataclass(frozen=True)
class ChartPoint:
    x: int
    y: int
    rating: ChartRating


@dataclass(frozen=True)
class ChartLine:
    number: int  # from 1: selects dashes and mark
    name: str
    points: list[ChartPoint]

    @property
    def line(self) -> str:
        return " ".join(f"{point.x},{point.y}" for point in self.points)

    @property
    def mark(self) -> str:
        return MARKS[self.number - 1]


@dataclass(frozen=True)
class Chart:
    lines: list[ChartLine]
    rules: list[tuple[int, int]]  # y, PGR in points
    days: list[tuple[int, date]]  # x, day
    left_out: int

    width, height, left, right, top, bottom = WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM


def draw_chart(series: Iterable[tuple[str, Sequence[ChartRating]]]) -> Chart | None:
    """At most `MOST_LINES` lines: those with the most ratings. None without ratings."""
    found = sorted((one for one in series if one[1]), key=lambda one: -len(one[1]))
    shown = found[:MOST_LINES]
    if not shown:
        return None
    paper = lay_out_paper([rating for _name, ratings in shown for rating in ratings])
    lines = [
        ChartLine(n, name, [paper.point(one) for one in ratings])
        for n, (name, ratings) in enumerate(shown, 1)
    ]
    return Chart(lines, paper.rules, paper.days, len(found) - len(shown))


@dataclass(frozen=True)
class Paper:
    """The range of days and ratings that the drawing shows."""

    first: date
    last: date
    low: int
    high: int
    step: int  # PGR points from one rule to the next

    def point(self, rating: ChartRating) -> ChartPoint:
        return ChartPoint(
            x_of_day(rating.day, self.first, self.last),
            y_of_rating(rating.pgr, self.low, self.high),
            rating,
        )

    @property
    def rules(self) -> list[tuple[int, int]]:
        pgrs = range(self.low // PER_POINT, self.high // PER_POINT + 1, self.step)
        return [(y_of_rating(pgr * PER_POINT, self.low, self.high), pgr) for pgr in pgrs]

    @property
    def days(self) -> list[tuple[int, date]]:
        middle = self.first + timedelta(days=(self.last - self.first).days // 2)
        return [
            (x_of_day(day, self.first, self.last), day)
            for day in dict.fromkeys((self.first, middle, self.last))
        ]


def lay_out_paper(ratings: Sequence[ChartRating]) -> Paper:
    days = [rating.day for rating in ratings]
    return Paper(min(days), max(days), *rating_bounds([rating.pgr for rating in ratings]))


def rating_bounds(pgrs: Sequence[int]) -> tuple[int, int, int]:
    """(lowest line, highest line, step): the lines in thousandths, the step in PGR points."""
    low, high = min(pgrs), max(pgrs)
    for step in STEPS:
        unit = step * PER_POINT
        bottom, top = low // unit * unit, -(-high // unit) * unit
        if bottom == top:
            top += unit
        if (top - bottom) // unit < MOST_RULES:
            break
    return bottom, top, step


def x_of_day(day: date, first: date, last: date) -> int:
    if first == last:
        return (LEFT + RIGHT) // 2
    return LEFT + (RIGHT - LEFT) * (day - first).days // (last - first).days


def y_of_rating(pgr: int, low: int, high: int) -> int:
    return BOTTOM - (BOTTOM - TOP) * (pgr - low) // (high - low)
