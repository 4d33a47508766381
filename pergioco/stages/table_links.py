"""The signed address of one table. It names the stage, the round and the table: a draft that is replaced keeps it."""

from typing import NamedTuple

from django.core.signing import BadSignature, Signer

from pergioco.stages.models import Revision, Stage, Table

# Nobody finds the address of another table by counting.
signer = Signer(sep=".", salt="pergioco.stages.tables")


class Place(NamedTuple):
    stage: int
    round: int
    table: int


def token(stage: int, round_number: int, table_number: int) -> str:
    return signer.sign(f"{stage}-{round_number}-{table_number}")


def place_behind(token: str) -> Place | None:
    try:
        return Place(*map(int, signer.unsign(token).split("-")))
    except BadSignature:
        return None


def table_behind(token: str) -> Table | None:
    """Nobody, once the results are closed: a correction of them is not the table's."""
    place = place_behind(token)
    return table_at(place) if place else None


def table_at(place: Place) -> Table | None:
    found = Table.objects.filter(
        round__revision__stage=place.stage,
        round__revision__stage__status=Stage.Status.OPEN,
        round__revision__state=Revision.State.DRAFT,
        round__number=place.round,
        number=place.table,
    )
    return found.select_related("round__revision__stage__season", "round__revision__stage__game").first()
