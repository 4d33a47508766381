"""Facts of a revision as plain data, to be copied, compared, hashed and computed from."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from operator import attrgetter
from typing import Any

from django.db.models import Prefetch

from pergioco.stages.models import Revision, Round, Seat, SourceFile, Table
from pergioco.stages.rules.results import sign_of

TablePlace = tuple[int, int]  # round, table
SCORE_FIELDS = ("outcome", "kind", "score", "bid", "off_objective", "objective_made", "timed_out")
Scores = list[dict[str, Any]]


@dataclass(frozen=True)
class SeatFacts:
    player: int
    outcome: str = ""
    kind: str = ""
    score: Decimal | None = None
    bid: Decimal | None = None
    off_objective: Decimal | None = None
    objective_made: bool = False
    timed_out: bool = False
    played_on: date | None = None


@dataclass(frozen=True)
class TableFacts:
    number: int
    seats: tuple[SeatFacts, ...]
    source_line: int | None = None
    platform_key: str = ""
    source: int | None = None  # the file it was read from; kept in copies


@dataclass(frozen=True)
class RoundFacts:
    number: int
    tables: tuple[TableFacts, ...]
    phase: str = ""


SEAT_FIELDS = tuple(name for name in SeatFacts.__dataclass_fields__ if name != "player")


def read_rounds(revision: Revision) -> tuple[RoundFacts, ...]:
    """Reads all rounds of a revision in three queries, whatever its size."""
    seats = Prefetch("tables__seats", Seat.objects.order_by("position"))
    rounds = revision.rounds.order_by("number").prefetch_related("tables", seats)
    return tuple(
        RoundFacts(
            r.number,
            tuple(map(read_table_facts, sorted(r.tables.all(), key=attrgetter("number")))),
            r.phase,
        )
        for r in rounds
    )


def read_table_facts(table: Table) -> TableFacts:
    seats = tuple(SeatFacts(seat.player_id, **seat_values(seat)) for seat in table.seats.all())
    return TableFacts(table.number, seats, table.source_line, table.platform_key, table.source_id)


def write_rounds(
    revision: Revision, rounds: Iterable[RoundFacts], *, source: SourceFile | None = None
) -> None:
    """Writes into a revision that has no rounds yet."""
    write_revisions([(revision, tuple(rounds))], source=source)


def write_revisions(
    revisions: Sequence[tuple[Revision, Sequence[RoundFacts]]], *, source: SourceFile | None = None
) -> None:
    """Uses three bulk inserts, however many revisions there are."""
    wanted = [(revision, round_) for revision, rounds in revisions for round_ in rounds]
    made = Round.objects.bulk_create(
        Round(revision=row, number=r.number, phase=r.phase) for row, r in wanted
    )
    pairs = [
        (row, facts)
        for row, (_, round_) in zip(made, wanted, strict=True)
        for facts in round_.tables
    ]
    tables = Table.objects.bulk_create(
        Table(
            round=row,
            number=facts.number,
            source_id=facts.source if source is None else source.pk,
            source_line=facts.source_line,
            platform_key=facts.platform_key,
        )
        for row, facts in pairs
    )
    Seat.objects.bulk_create(
        Seat(table=table, position=position, player_id=seat.player, **seat_values(seat))
        for table, (_row, facts) in zip(tables, pairs, strict=True)
        for position, seat in enumerate(facts.seats, 1)
    )


def read_sign(seats: Iterable[SeatFacts | Seat]) -> str:
    """The sign of a table's result, from its seats in order."""
    return sign_of(tuple((seat.outcome, seat.kind) for seat in seats))


def seat_values(seat: SeatFacts | Seat) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in SEAT_FIELDS}


def hash_rounds(rounds: Sequence[RoundFacts]) -> str:
    """Hashes who sat where and with what outcome; nothing else."""
    plain = [asdict(round_) for round_ in rounds]
    for table in (table for round_ in plain for table in round_["tables"]):
        del table["source"]  # a row id has no meaning in another database
    text = json.dumps(plain, default=str, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class SeatedTable:
    players: tuple[int, ...]
    sign: str
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class TableDifference:
    round: int
    table: int
    before: SeatedTable | None  # None: the table did not exist
    after: SeatedTable | None


def diff_revisions(old: Revision | None, new: Revision) -> list[TableDifference]:
    before, after = summarize_tables(old), summarize_tables(new)
    places = sorted(before.keys() | after.keys())
    changed = [place for place in places if before.get(place) != after.get(place)]
    return [TableDifference(*place, before.get(place), after.get(place)) for place in changed]


def summarize_tables(revision: Revision | None) -> dict[TablePlace, SeatedTable]:
    rounds = read_rounds(revision) if revision is not None else ()
    return {
        (round_.number, table.number): summarize_table(table)
        for round_ in rounds
        for table in round_.tables
    }


def summarize_table(table: TableFacts) -> SeatedTable:
    parts = tuple((seat.outcome, seat.kind) for seat in table.seats)
    return SeatedTable(tuple(seat.player for seat in table.seats), read_sign(table.seats), parts)


def read_scores(seats: Sequence[Seat]) -> Scores:
    return [
        {"player": seat.player_id}
        | {name: plain_score(getattr(seat, name)) for name in SCORE_FIELDS}
        for seat in seats
    ]


def plain_score(value: object) -> object:
    """Writes a number without trailing zeros: 12 and 12.00 are the same score, as are 0 and −0."""
    return f"{value.normalize() + 0:f}" if isinstance(value, Decimal) else value


def are_scores_empty(scores: Scores) -> bool:
    return not any(
        row["outcome"] or row["score"] is not None or row["objective_made"] for row in scores
    )


def write_scores(table: Table, scores: Scores) -> None:
    # Players in another order change seats.
    own = {seat.player_id: seat for seat in table.seats.order_by("position")}
    for row in scores:
        for name in SCORE_FIELDS:
            value = row[name]
            setattr(
                own[row["player"]],
                name,
                Decimal(value) if isinstance(value, str) and is_decimal_score(name) else value,
            )
    if list(own) == [row["player"] for row in scores]:
        Seat.objects.bulk_update(own.values(), SCORE_FIELDS)
    else:
        reseat_table(table, [own[row["player"]] for row in scores])


def is_decimal_score(name: str) -> bool:
    return name in {"score", "bid", "off_objective"}


def reseat_table(table: Table, seats: Sequence[Seat]) -> None:
    # A position and a player are unique at a table, even during an update: insert the seats again.
    table.seats.all().delete()
    for position, seat in enumerate(seats, 1):
        seat.pk, seat.position = None, position
    Seat.objects.bulk_create(seats)
