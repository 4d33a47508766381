"""A stage as a line of the calendar: whether it is on, its number in the Race, whether seats are left."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, OuterRef, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.utils import timezone

from pergioco.stages.models import Entry, Stage


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
        """One day, of which there is nothing else to say: a poster has it in its margin."""
        stage = self.stage
        is_waiting = self.is_over and not stage.is_closed
        return stage.starts_on == stage.ends_on and not (self.is_running or is_waiting or stage.is_cancelled)

    @property
    def is_full(self) -> bool:
        """No seat left for who has not entered yet. An open question only as long as the stage is not over."""
        capacity = self.stage.capacity
        return capacity is not None and self.entered >= capacity and not self.is_over and not self.stage.is_cancelled


def fixtures(stages: Iterable[Stage]) -> list[Fixture]:
    """Of stages that come from `with_entries`, in their order. As many queries for a hundred as for one."""
    today, rows = timezone.localdate(), list(stages)
    prefetch_related_objects(rows, "date_changes")
    numbers = race_numbers({stage.season_id for stage in rows if stage.race})
    return [Fixture(stage, today, numbers.get(stage.pk), stage.entered) for stage in rows]  # type: ignore[attr-defined]


def with_entries(stages: QuerySet[Stage]) -> QuerySet[Stage]:
    """Counted for those alone that are asked for: a join would group the entries of all stages first."""
    own = Entry.objects.filter(stage=OuterRef("pk")).order_by().values("stage").annotate(n=Count("pk")).values("n")
    named = stages.select_related("game", "season", "big_event", "big_final")
    return named.annotate(entered=Coalesce(Subquery(own), 0))


def race_numbers(seasons: Iterable[int]) -> dict[int, int]:
    """Stage -> its place among the Race stages of its season."""
    seen: dict[int, int] = {}
    numbers = {}
    race = Stage.objects.filter(season__in=seasons, race=True).exclude(status=Stage.Status.CANCELLED)
    for stage, season in race.order_by("starts_on", "id").values_list("id", "season_id"):
        numbers[stage] = seen[season] = seen.get(season, 0) + 1
    return numbers
