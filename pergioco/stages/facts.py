"""The facts of one revision as plain data: what is copied into a correction, hashed, dumped and computed from."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Prefetch

from pergioco.stages.models import Revision, Round, Seat, SourceFile, Table


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
    source: int | None = None  # the file that it was read from; a copy keeps it


@dataclass(frozen=True)
class RoundFacts:
    number: int
    tables: tuple[TableFacts, ...]
    phase: str = ""


SEAT_FIELDS = tuple(name for name in SeatFacts.__dataclass_fields__ if name != "player")


def read(revision: Revision) -> tuple[RoundFacts, ...]:
    """Three queries, whatever the size."""
    seats = Prefetch("tables__seats", Seat.objects.order_by("position"))
    rounds = revision.rounds.order_by("number").prefetch_related("tables", seats)
    return tuple(
        RoundFacts(r.number, tuple(table_facts(table) for table in sorted(r.tables.all(), key=number)), r.phase)
        for r in rounds
    )


def number(table: Table) -> int:
    return table.number


def table_facts(table: Table) -> TableFacts:
    seats = tuple(
        SeatFacts(seat.player_id, **{name: getattr(seat, name) for name in SEAT_FIELDS}) for seat in table.seats.all()
    )
    return TableFacts(table.number, seats, table.source_line, table.platform_key, table.source_id)


def write(revision: Revision, rounds: Iterable[RoundFacts], *, source: SourceFile | None = None) -> None:
    """Into a revision that has no rounds yet."""
    write_all([(revision, tuple(rounds))], source=source)


def write_all(revisions: Sequence[tuple[Revision, Sequence[RoundFacts]]], *, source: SourceFile | None = None) -> None:
    """Three bulk writes, whatever the size and however many the revisions."""
    wanted = [(revision, round_) for revision, rounds in revisions for round_ in rounds]
    made = Round.objects.bulk_create(Round(revision=row, number=r.number, phase=r.phase) for row, r in wanted)
    pairs = [(row, facts) for row, (_, round_) in zip(made, wanted, strict=True) for facts in round_.tables]
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
        Seat(table=table, position=position, player_id=seat.player, **values(seat))
        for table, (_row, facts) in zip(tables, pairs, strict=True)
        for position, seat in enumerate(facts.seats, 1)
    )


def values(seat: SeatFacts) -> dict[str, object]:
    return {name: getattr(seat, name) for name in SEAT_FIELDS}


def sha256(rounds: Sequence[RoundFacts]) -> str:
    """Of the facts alone: who sat where, and what came of it."""
    plain = [asdict(round_) for round_ in rounds]
    for table in (table for round_ in plain for table in round_["tables"]):
        del table["source"]  # the number of a row means nothing elsewhere
    text = json.dumps(plain, default=str, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
