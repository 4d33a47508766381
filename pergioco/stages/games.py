"""Two-player games of closed stages as plain facts, the input of ratings, rankings and Race.

Merged players count as the remaining one. Void games are left out.
"""

from collections.abc import Collection, Iterator
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BigIntegerField, F, Func, QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler

from pergioco.players.models import Disqualification, Player
from pergioco.rulekit.numbers import to_thousandths
from pergioco.stages.models import OpeningRating, Revision, Seat, Stage
from pergioco.stages.rules.standings import Part

SEAT_COLUMNS = (
    "table__round__number",
    "table__number",
    "player_id",
    "outcome",
    "kind",
    "played_on",
)
Sitting = tuple[int, int, int, int, str, str, date | None]  # stage, then SEAT_COLUMNS


def closed_stages(circuit: Stage.Circuit = Stage.Circuit.PGM) -> QuerySet[Stage]:
    """Stages of a circuit with results in force, in the order in which they count: last day, slug
    (PG-1)."""
    current = Revision.objects.filter(state=Revision.State.CURRENT)
    closed = Stage.objects.filter(circuit=circuit, revisions__in=current)
    return closed.exclude(status=Stage.Status.CANCELLED).order_by("ends_on", Bytewise("slug"))


def merged_players() -> dict[int, int]:
    return {player: kept for player, kept in list_merges() if kept is not None}


def list_merges() -> QuerySet[Player, tuple[int, int | None]]:
    return Player.objects.exclude(merged_into=None).values_list("pk", "merged_into")


def voided_players(on: date) -> set[int]:
    """Players whose games are void by a decision in force on that day (PG-26)."""
    return set(voiding_decisions(on).values_list("player", flat=True))


def voiding_decisions(on: date) -> QuerySet[Disqualification]:
    return Disqualification.objects.in_force(on).filter(kind=Disqualification.Kind.VOID)


def merged_and_voided(on: date) -> tuple[dict[int, int], set[int]]:
    # One query for both.
    void = voiding_decisions(on).order_by().values_list("player", Value(None, BigIntegerField()))
    rows = list(list_merges().order_by().union(void))
    same = {player: kept for player, kept in rows if kept is not None}
    return same, {player for player, kept in rows if kept is None}


def parts_by_stage(
    stages: QuerySet[Stage], *, today: date, of: Collection[int] | None = None
) -> Iterator[tuple[int, list[Part]]]:
    """Yields each stage with its parts, in no particular order, without stages whose games are all
    void.

    `of` limits the result to tables at which one of these players sat."""
    seats = Seat.objects.filter(
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__in=stages,
    ).annotate(of=F("table__round__revision__stage"))
    if of is not None:
        seats = seats.filter(table__in=Seat.objects.filter(player__in=of).values("table"))
    rows = seats.order_by("of", "table_id", "position").values_list("of", *SEAT_COLUMNS)
    same, void = merged_and_voided(today)
    for stage, sittings in groupby(rows.iterator(chunk_size=5000), key=itemgetter(0)):
        parts = [
            part for table in group_tables(sittings) for part in table_parts(table, same, void)
        ]
        if parts:
            yield stage, parts


def group_tables(sittings: Iterator[Sitting]) -> Iterator[list[Sitting]]:
    for _place, table in groupby(sittings, key=itemgetter(1, 2)):
        yield list(table)


def table_parts(table: list[Sitting], same: dict[int, int], void: set[int]) -> list[Part]:
    """Both sides of a game, or a bye. A table of one person against himself is not a game."""
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


class Opening(NamedTuple):
    """A rating from before the first stage on file, in thousandths, and the day of its last game if
    known."""

    pgr: int
    last_played_on: date | None


def order_openings(ratings: QuerySet[OpeningRating]) -> QuerySet[OpeningRating]:
    """Orders ratings so that the last one counts.

    Of two merged players the remaining one keeps his own; without one, he gets that of the absorbed
    player who played last."""
    return ratings.order_by(
        F("player__merged_into").asc(nulls_last=True),
        F("last_played_on").asc(nulls_first=True),
        "player",
    )


def read_openings(ratings: QuerySet[OpeningRating]) -> dict[tuple[int, int], Opening]:
    rows = order_openings(ratings).values_list(
        "game", "player", "player__merged_into", "pgr", "last_played_on"
    )
    return {
        (game, kept or player): Opening(to_thousandths(pgr), last_played_on)
        for game, player, kept, pgr, last_played_on in rows
    }


class Bytewise(Func):
    """Sorts text by its bytes, as Python does: PostgreSQL may use the collation of a language."""

    arity = 1
    template = "%(expressions)s"

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> Any:
        return self.as_sql(compiler, connection, template='%(expressions)s COLLATE "C"', **context)
