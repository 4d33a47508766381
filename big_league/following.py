"""What the BIG rankings do when a tournament or a player changed: they are part of a publication, which is promised."""

from django.db.models import Min, Q
from django.utils import timezone

from big_league.compute import OF_EVENT
from pergioco.ledger import publishing
from pergioco.ledger.models import Computation
from pergioco.stages.models import Revision, Seat, Stage


def stage_settled(*, stage: int, cause: str) -> None:
    """From the year in which it stands or ever stood; one that left BIG takes its results away with it."""
    row = Stage.objects.get(pk=stage)
    stood = Computation.objects.filter(kind=f"{OF_EVENT}{row.slug}").aggregate(year=Min("season__year"))["year"]
    if row.circuit == Stage.Circuit.BIG or stood is not None:
        years = [row.ends_on.year, *([stood] if stood is not None else [])]
        publishing.promise_publication(cause=cause, year=min(years), stage=row)


def player_changed(*, player: int, cause: str) -> None:
    """If he ever sat at a table of BIG, under this or a merged name. Membership counts there, registration does not."""
    if cause == "registered":
        return
    seats = Seat.objects.filter(
        Q(player=player) | Q(player__merged_into=player) | Q(player__absorbed=player),
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__circuit=Stage.Circuit.BIG,
    )
    if seats.exists():
        publishing.promise_publication(cause=cause, player=player, year=first_year(cause))


def first_year(cause: str) -> int:
    """Who joins stands in no ranking from before; whatever else changes may reach back to any year (BIG 2)."""
    return timezone.localdate().year if cause == "joined" else publishing.EVERY_SEASON
