"""The games of closed stages between two, as plain facts: what ratings, rankings and Race are computed from.

Players that were merged count as the one that stays. Games of a player whose games were declared void never took place.
"""

from collections.abc import Collection, Iterator
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import BigIntegerField, F, QuerySet, Value

from pergioco.players.models import Disqualification, Player
from pergioco.stages.models import OpeningRating, Revision, Seat, Stage
from pergioco.stages.order import Bytewise
from pergioco.stages.rules.parts import Part

SEAT = ("table__round__number", "table__number", "player_id", "outcome", "kind", "played_on")
THOUSAND = 1000
Sitting = tuple[int, int, int, int, str, str, date | None]  # stage, then as in SEAT


def closed_stages(circuit: Stage.Circuit = Stage.Circuit.PGM) -> QuerySet[Stage]:
    """Those of a circuit with results in force, in the order in which they count: last day, then slug (PG-1)."""
    current = Revision.objects.filter(state=Revision.State.CURRENT)
    closed = Stage.objects.filter(circuit=circuit, revisions__in=current)
    return closed.exclude(status=Stage.Status.CANCELLED).order_by("ends_on", Bytewise("slug"))


def merged() -> dict[int, int]:
    """Absorbed player -> the one that stays."""
    return {player: kept for player, kept in merges() if kept is not None}


def merges() -> QuerySet[Player, tuple[int, int | None]]:
    return Player.objects.exclude(merged_into=None).values_list("pk", "merged_into")


def voided(on: date) -> set[int]:
    """Players whose games count for nobody, by a decision that is in force on that day (PG-26)."""
    return set(voids(on).values_list("player", flat=True))


def voids(on: date) -> QuerySet[Disqualification]:
    return Disqualification.objects.in_force(on).filter(kind=Disqualification.Kind.VOID)


def merged_and_voided(on: date) -> tuple[dict[int, int], set[int]]:
    """Both, asked for at once."""
    void = voids(on).order_by().values_list("player", Value(None, BigIntegerField()))
    rows = list(merges().order_by().union(void))
    same = {player: kept for player, kept in rows if kept is not None}
    return same, {player for player, kept in rows if kept is None}


def parts_by_stage(
    stages: QuerySet[Stage], *, today: date, of: Collection[int] | None = None
) -> Iterator[tuple[int, list[Part]]]:
    """Stage -> its parts, in no particular order of stages; a stage whose games are all void is left out.
    With `of`, only the tables at which one of these sat."""
    seats = Seat.objects.filter(
        table__round__revision__state=Revision.State.CURRENT, table__round__revision__stage__in=stages
    ).annotate(of=F("table__round__revision__stage"))
    if of is not None:
        seats = seats.filter(table__in=Seat.objects.filter(player__in=of).values("table"))
    rows = seats.order_by("of", "table_id", "position").values_list("of", *SEAT)
    same, void = merged_and_voided(today)
    for stage, sittings in groupby(rows.iterator(chunk_size=5000), key=itemgetter(0)):
        parts = [part for table in tables(sittings) for part in sides(table, same, void)]
        if parts:
            yield stage, parts


def tables(sittings: Iterator[Sitting]) -> Iterator[list[Sitting]]:
    for _place, table in groupby(sittings, key=itemgetter(1, 2)):
        yield list(table)


def sides(table: list[Sitting], same: dict[int, int], void: set[int]) -> list[Part]:
    """Both sides of a game, or a bye. A table of one and the same person against himself is no game."""
    players = [same.get(sitting[3], sitting[3]) for sitting in table]
    if not void.isdisjoint(players) or len(set(players)) < len(players):
        return []
    others = [*reversed(players)] if len(players) > 1 else [None]
    return [
        Part(round_, number, player, other, outcome, kind, played_on)
        for player, other, (_s, round_, number, _p, outcome, kind, played_on) in zip(
            players, others, table, strict=True
        )
    ]


class Brought(NamedTuple):
    """A rating from before the first stage on file: thousandths, and the day of its last game if that is known."""

    pgr: int
    last_played_on: date | None


def by_weight(ratings: QuerySet[OpeningRating]) -> QuerySet[OpeningRating]:
    """The last one counts. Of two merged players the one that stays keeps his own; else that of the absorbed one who
    played last."""
    return ratings.order_by(
        F("player__merged_into").asc(nulls_last=True), F("last_played_on").asc(nulls_first=True), "player"
    )


def brought_along(ratings: QuerySet[OpeningRating]) -> dict[tuple[int, int], Brought]:
    """Game and player -> what he brought along."""
    rows = by_weight(ratings).values_list("game", "player", "player__merged_into", "pgr", "last_played_on")
    return {
        (game, kept or player): Brought(int(pgr * THOUSAND), last_played_on)
        for game, player, kept, pgr, last_played_on in rows
    }
