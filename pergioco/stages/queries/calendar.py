"""Stages on the calendar: as a list, as a month, and filtered."""

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, ClassVar

from django import forms
from django.db.models import Count, OuterRef, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.players.models.accounts import Platform
from pergioco.stages.models import Entry, Game, Stage

DAYS = 7
LOOKUPS = {
    "game": "game__slug",
    "platform": "platform",
    "circuit": "circuit",
    "city": "city",
    "race": "race",
}


@dataclass(frozen=True)
class Fixture:
    stage: Stage
    today: date
    race_number: int | None  # first, second … Race stage of its season
    entered: int

    @property
    def is_over(self) -> bool:
        return self.stage.is_closed or self.stage.ends_on < self.today

    @property
    def is_running(self) -> bool:
        return not self.is_over and self.stage.starts_on <= self.today

    @property
    def is_plain_day(self) -> bool:
        stage = self.stage
        is_waiting = self.is_over and not stage.is_closed
        return stage.starts_on == stage.ends_on and not (
            self.is_running or is_waiting or stage.is_cancelled
        )

    @property
    def is_full(self) -> bool:
        # Seats matter only until the stage is over.
        capacity = self.stage.capacity
        return (
            capacity is not None
            and self.entered >= capacity
            and not self.is_over
            and not self.stage.is_cancelled
        )


def build_fixtures(stages: Iterable[Stage]) -> list[Fixture]:
    """Takes stages from `with_entry_counts`, keeps their order; a constant number of queries."""
    today, rows = timezone.localdate(), list(stages)
    prefetch_related_objects(rows, "date_changes")
    numbers = race_numbers({stage.season_id for stage in rows if stage.race})
    return [Fixture(stage, today, numbers.get(stage.pk), stage.entered) for stage in rows]  # type: ignore[attr-defined]


def with_entry_counts(stages: QuerySet[Stage]) -> QuerySet[Stage]:
    # A join would group the entries of all stages first; the subquery counts only these.
    own = (
        Entry.objects.filter(stage=OuterRef("pk"))
        .order_by()
        .values("stage")
        .annotate(n=Count("pk"))
        .values("n")
    )
    named = stages.select_related("game", "season", "big_event", "big_final")
    return named.annotate(entered=Coalesce(Subquery(own), 0))


def race_numbers(seasons: Iterable[int]) -> dict[int, int]:
    seen: dict[int, int] = {}
    numbers = {}
    race = Stage.objects.filter(season__in=seasons, race=True).exclude(
        status=Stage.Status.CANCELLED
    )
    for stage, season in race.order_by("starts_on", "id").values_list("id", "season_id"):
        numbers[stage] = seen[season] = seen.get(season, 0) + 1
    return numbers


@dataclass(frozen=True)
class Bar:
    """Consecutive days of one week with the same stage, or without any."""

    days: int
    fixture: Fixture | None = None
    begins: bool = True  # False: continues from the week before
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
        return (
            self.first + timedelta(days=calendar.monthrange(self.first.year, self.first.month)[1])
        ).replace(day=1)

    @property
    def is_empty(self) -> bool:
        return not any(week.lanes for week in self.weeks)


def build_month(first: date, today: date, stages: QuerySet[Stage]) -> Grid:
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    shown = stages.filter(starts_on__lte=weeks[-1][-1], ends_on__gte=weeks[0][0]).order_by(
        "starts_on", "id"
    )
    found = build_fixtures(with_entry_counts(shown))
    return Grid(first, today, [Week(days, fill_lanes(days, found)) for days in weeks])


def fill_lanes(days: list[date], found: Iterable[Fixture]) -> list[list[Bar]]:
    taken: list[list[Fixture]] = []
    for fixture in found:
        if fixture.stage.starts_on > days[-1] or fixture.stage.ends_on < days[0]:
            continue
        free = next(
            (lane for lane in taken if lane[-1].stage.ends_on < fixture.stage.starts_on), None
        )
        if free is None:
            taken.append([fixture])
        else:
            free.append(fixture)
    return [lane_bars(days, lane) for lane in taken]


def lane_bars(days: list[date], lane: Iterable[Fixture]) -> list[Bar]:
    made: list[Bar] = []
    next_free = days[0]
    for fixture in lane:
        first, last = max(fixture.stage.starts_on, days[0]), min(fixture.stage.ends_on, days[-1])
        made += empty_days(next_free, first)
        begins, ends = fixture.stage.starts_on >= days[0], fixture.stage.ends_on <= days[-1]
        made.append(Bar((last - first).days + 1, fixture, begins, ends))
        next_free = last + timedelta(days=1)
    return made + empty_days(next_free, days[-1] + timedelta(days=1))


def empty_days(first: date, until: date) -> list[Bar]:
    # One bar a day: an empty cell below each.
    return [Bar(1)] * (until - first).days


class FilterField(forms.ChoiceField):
    default_error_messages: ClassVar = {
        "invalid_choice": gettext_lazy("There is no such thing to choose: take one from the list.")
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)


class CalendarForm(forms.Form):
    """Ignores invalid values after reporting them: the rest of the filter applies."""

    game = FilterField(label=gettext_lazy("Game"))
    platform = FilterField(label=gettext_lazy("Platform"))
    circuit = FilterField(label=gettext_lazy("Circuit"))
    city = FilterField(label=gettext_lazy("City"))
    race = forms.BooleanField(label=gettext_lazy("Race stages only"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = sorted(Game.objects.all(), key=lambda game: game.name.casefold())
        choices = {
            "game": [(game.slug, game.name) for game in games],
            "platform": Platform.choices,
            "circuit": Stage.Circuit.choices,
            "city": [(city, city) for city in list_cities()],
        }
        for name, known in choices.items():
            self.fields[name].choices = [("", _("all")), *known]  # type: ignore[attr-defined]

    @property
    def asked(self) -> dict[str, str | bool]:
        self.is_valid()
        return {name: self.cleaned_data[name] for name in LOOKUPS if self.cleaned_data.get(name)}

    def stages(self) -> QuerySet[Stage]:
        return Stage.objects.filter(**{LOOKUPS[name]: value for name, value in self.asked.items()})


def list_cities() -> list[str]:
    return list(
        Stage.objects.exclude(city="").order_by("city").values_list("city", flat=True).distinct()
    )
