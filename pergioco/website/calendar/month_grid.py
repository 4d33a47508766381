"""A month as weeks: each stage is a bar over the days on which it is played, no bar above another."""

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import QuerySet

from pergioco.stages.models import Stage
from pergioco.website.calendar.fixtures import Fixture, fixtures, with_entries

DAYS = 7


@dataclass(frozen=True)
class Bar:
    """The days of one week on which one stage is played; without a stage, days on which nothing is."""

    days: int
    fixture: Fixture | None = None
    begins: bool = True  # it does not come from the week before
    ends: bool = True


@dataclass(frozen=True)
class Week:
    days: list[date]
    lanes: list[list[Bar]]  # each fills the seven days


@dataclass(frozen=True)
class Grid:
    first: date
    today: date
    weeks: list[Week]

    @property
    def before(self) -> date:
        return (self.first - timedelta(days=1)).replace(day=1)

    @property
    def after(self) -> date:
        return (self.first + timedelta(days=calendar.monthrange(self.first.year, self.first.month)[1])).replace(day=1)

    @property
    def is_empty(self) -> bool:
        return not any(week.lanes for week in self.weeks)


def of(first: date, today: date, stages: QuerySet[Stage]) -> Grid:
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    shown = stages.filter(starts_on__lte=weeks[-1][-1], ends_on__gte=weeks[0][0]).order_by("starts_on", "id")
    found = fixtures(with_entries(shown))
    return Grid(first, today, [Week(days, lanes(days, found)) for days in weeks])


def lanes(days: list[date], found: Iterable[Fixture]) -> list[list[Bar]]:
    """Each stage in the first lane that is free on its days."""
    taken: list[list[Fixture]] = []
    for fixture in found:
        if fixture.stage.starts_on > days[-1] or fixture.stage.ends_on < days[0]:
            continue
        free = next((lane for lane in taken if lane[-1].stage.ends_on < fixture.stage.starts_on), None)
        if free is None:
            taken.append([fixture])
        else:
            free.append(fixture)
    return [bars(days, lane) for lane in taken]


def bars(days: list[date], lane: Iterable[Fixture]) -> list[Bar]:
    made: list[Bar] = []
    next_free = days[0]
    for fixture in lane:
        first, last = max(fixture.stage.starts_on, days[0]), min(fixture.stage.ends_on, days[-1])
        made += gap(next_free, first)
        begins, ends = fixture.stage.starts_on >= days[0], fixture.stage.ends_on <= days[-1]
        made.append(Bar((last - first).days + 1, fixture, begins, ends))
        next_free = last + timedelta(days=1)
    return made + gap(next_free, days[-1] + timedelta(days=1))


def gap(first: date, until: date) -> list[Bar]:
    """One bar for each day: an empty cell below its day."""
    return [Bar(1)] * (until - first).days
