"""Enqueues a publication when a tournament or a player of BIG changes."""

from django.db.models import Min, Q
from django.utils import timezone

from big_league.compute import OF_EVENT
from pergioco.publishing.models import Computation
from pergioco.publishing.services import publish
from pergioco.stages.models import Revision, Seat, Stage


def follow_big_stage(*, stage: int, cause: str) -> None:
    # A stage that left BIG still has results in the year of its last computation.
    row = Stage.objects.get(pk=stage)
    stood = Computation.objects.filter(kind=f"{OF_EVENT}{row.slug}").aggregate(
        year=Min("season__year")
    )["year"]
    if row.circuit == Stage.Circuit.BIG or stood is not None:
        years = [row.ends_on.year, *([stood] if stood is not None else [])]
        publish.enqueue_publication(cause=cause, year=min(years), stage=row)


def follow_big_player(*, player: int, cause: str) -> None:
    # BIG counts membership; the registration in PerGioco Masters changes nothing here.
    if cause == "registered":
        return
    seats = Seat.objects.filter(
        Q(player=player) | Q(player__merged_into=player) | Q(player__absorbed=player),
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__circuit=Stage.Circuit.BIG,
    )
    if seats.exists():
        publish.enqueue_publication(cause=cause, player=player, year=first_big_year(cause))


def first_big_year(cause: str) -> int:
    # A new member has no earlier results; any other change may reach back to any year (BIG 2).
    return timezone.localdate().year if cause == "joined" else publish.EVERY_SEASON
