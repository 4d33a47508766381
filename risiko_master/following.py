"""What is promised when something changed that a Master is computed from: a publication, nothing else is kept."""

from django.db.models import Q

from pergioco.ledger import publishing
from pergioco.ledger.models import Computation
from pergioco.stages.models import Season, Seat, Stage
from risiko_master.compute import kind

WHO_SAT_THERE = ("merged", "unmerged")


def stage_settled(*, stage: int, cause: str) -> None:
    """One that is no Master any more takes its rankings away with it."""
    row = Stage.objects.select_related("season").get(pk=stage)
    shown = Season.objects.filter(computations__in=Computation.objects.filter(kind__startswith=kind(row.slug, "")))
    years = set(shown.values_list("year", flat=True))
    if row.circuit == Stage.Circuit.RKM:
        years.add(row.season.year)
    if years:
        publishing.promise_publication(cause=cause, year=min(years), stage=row)


def player_changed(*, player: int, cause: str) -> None:
    """Two who are one now, or two again: nothing else of a player changes what happened at the tables."""
    family = Q(player=player) | Q(player__merged_into=player)
    sat = Seat.objects.filter(family, table__round__revision__stage__circuit=Stage.Circuit.RKM)
    if cause in WHO_SAT_THERE and sat.exists():
        publishing.promise_publication(cause=cause, player=player)
