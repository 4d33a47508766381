"""A score sheet: impossible entries, and missing answers about ties."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from pergioco.rulekit.paragraph import paragraph
from risiko_master.rules.editions import Edition


@dataclass(frozen=True)
class Line:
    """A player's line; `off_objective` and `order` are needed only for ties."""

    player: int
    points: int | None
    made: bool = False
    off_objective: int | None = None
    order: int | None = None

    @property
    def result(self) -> tuple[bool, int]:
        return self.made, self.points or 0


@dataclass(frozen=True)
class Fault:
    code: str
    player: int | None = None
    points: int | None = None


def find_faults(lines: Sequence[Line], edition: Edition) -> list[Fault]:
    # A player who made RisiKo! needs no table points.
    most = edition.most_table_points
    found = [
        Fault("missing", line.player) for line in lines if line.points is None and not line.made
    ]
    found += [
        Fault("too_many", line.player, line.points)
        for line in lines
        if not 0 <= (line.points or 0) <= most
    ]
    if sum(line.made for line in lines) > 1:
        found.append(Fault("made_twice"))
    return found + wrong_orders(lines)


def wrong_orders(lines: Sequence[Line]) -> list[Fault]:
    orders = [line.order for line in lines if line.order is not None]
    outside = [
        Fault("order", line.player)
        for line in lines
        if line.order is not None and not 1 <= line.order <= len(lines)
    ]
    return outside + ([Fault("order_twice")] if len(set(orders)) != len(orders) else [])


def tied_players(lines: Sequence[Line], *, also_off_objective: bool = False) -> set[int]:
    def key(line: Line) -> tuple[object, ...]:
        return (*line.result, line.off_objective or 0) if also_off_objective else line.result

    same = [list(group) for _result, group in groupby(sorted(lines, key=key), key=key)]
    return {line.player for group in same if len(group) > 1 for line in group}


@paragraph("RKM", "table")
def missing_answers(lines: Sequence[Line]) -> tuple[set[int], set[int]]:
    """Players whose points outside the objective are missing, and whose order of play is (RK-3)."""
    level = tied_players(lines)
    off = {line.player for line in lines if line.player in level and line.off_objective is None}
    if off:
        return off, set()
    apart = tied_players(lines, also_off_objective=True)
    return set(), {line.player for line in lines if line.player in apart and line.order is None}


def in_order_of_play(lines: Sequence[Line]) -> list[Line]:
    """Players with a given order take that seat; the others fill the rest in their order."""
    placed = {line.order: line for line in lines if line.order is not None}
    others = iter([line for line in lines if line.order is None])
    return [placed.get(place) or next(others) for place in range(1, len(lines) + 1)]
