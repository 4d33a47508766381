"""Publications as a test writes them down: kind -> who stands where with what."""

from collections.abc import Mapping
from decimal import Decimal
from itertools import count

from django.utils import timezone

from pergioco.players.models import Player
from pergioco.publishing.models import Computation, Line, Publication, Shown
from pergioco.stages.models import Season

Places = Mapping[Player, tuple[int, str]]  # player -> place, value
numbers = count(1)


def computation(season: Season, kind: str, places: Places) -> Computation:
    made = Computation.objects.create(
        kind=kind, season=season, edition=2025, sha256=f"{next(numbers):064}", cause="closed"
    )
    Line.objects.bulk_create(
        Line(computation=made, position=position, player=player, rank=rank, value=Decimal(value))
        for position, (player, (rank, value)) in enumerate(places.items(), 1)
    )
    return made


def publication(
    season: Season, *computations: Computation, before: Publication | None = None
) -> Publication:
    """The new current one."""
    Publication.objects.filter(season=season).update(is_current=False)
    made = Publication.objects.create(
        season=season,
        number=Publication.objects.filter(season=season).count() + 1,
        as_of=timezone.localdate(),
        is_current=True,
        before=before,
        cause="closed",
        published_at=timezone.now(),
    )
    Shown.objects.bulk_create(
        Shown(publication=made, computation=one, kind=one.kind) for one in computations
    )
    return made
