"""What the seats of a table say, as plain data: to be kept beside a change, and to be written again."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pergioco.stages.models import Seat, Table

WHAT = ("outcome", "kind", "score", "bid", "off_objective", "objective_made", "timed_out")
Scores = list[dict[str, Any]]


def read(seats: Sequence[Seat]) -> Scores:
    return [{"player": seat.player_id} | {name: plain(getattr(seat, name)) for name in WHAT} for seat in seats]


def plain(value: object) -> object:
    """A number as it is written, without noughts at its end: 12 and 12.00 are the same score, and so are 0 and −0."""
    return f"{value.normalize() + 0:f}" if isinstance(value, Decimal) else value


def is_empty(scores: Scores) -> bool:
    return not any(row["outcome"] or row["score"] is not None or row["objective_made"] for row in scores)


def put(table: Table, scores: Scores) -> None:
    """In the order given: who sat elsewhere changes seats."""
    own = {seat.player_id: seat for seat in table.seats.order_by("position")}
    for row in scores:
        for name in WHAT:
            value = row[name]
            setattr(own[row["player"]], name, Decimal(value) if isinstance(value, str) and is_number(name) else value)
    if list(own) == [row["player"] for row in scores]:
        Seat.objects.bulk_update(own.values(), WHAT)
    else:
        reseat(table, [own[row["player"]] for row in scores])


def is_number(name: str) -> bool:
    return name in {"score", "bid", "off_objective"}


def reseat(table: Table, seats: Sequence[Seat]) -> None:
    """No two seats of a table ever have one position, not even for a moment: they are made anew."""
    table.seats.all().delete()
    for position, seat in enumerate(seats, 1):
        seat.pk, seat.position = None, position
    Seat.objects.bulk_create(seats)
