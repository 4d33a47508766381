"""Checks before a stage is closed: errors, questions and hints."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain

from pergioco.rulekit.paragraph import paragraph


class Weight(StrEnum):
    STOP = "stop"
    ASK = "ask"
    LOOK = "look"


@dataclass(frozen=True)
class Finding:
    """A code with values, which the page turns into a sentence."""

    weight: Weight
    code: str
    values: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class CheckedTable:
    round: int
    number: int
    players: tuple[int, ...]
    sign: str
    complete: bool  # every seat has its outcome, or its score


@dataclass(frozen=True)
class CheckedStage:
    entered: frozenset[int]
    tables: tuple[CheckedTable, ...]
    withdrew_after: dict[int, int]
    capacity: int | None
    is_two_player: bool
    is_swiss: bool


def check_stage(stage: CheckedStage) -> list[Finding]:
    checks = (
        check_rounds_exist,
        check_capacity,
        check_entered,
        check_results_complete,
        check_seated_once,
        check_rematches,
        check_idle_players,
    )
    return list(chain.from_iterable(check(stage) for check in checks))


def may_close(found: Sequence[Finding]) -> bool:
    return all(finding.weight != Weight.STOP for finding in found)


def check_rounds_exist(stage: CheckedStage) -> Iterator[Finding]:
    if not stage.tables:
        yield Finding(Weight.STOP, "nothing_played")


@paragraph("PGM", 40)
def check_capacity(stage: CheckedStage) -> Iterator[Finding]:
    """A Race stage has 64 seats at most (reading PG-25); other stages set their own number."""
    if stage.capacity is not None and len(stage.entered) > stage.capacity:
        yield Finding(
            Weight.STOP, "too_many", {"entered": len(stage.entered), "capacity": stage.capacity}
        )


def check_entered(stage: CheckedStage) -> Iterator[Finding]:
    for table in stage.tables:
        for player in table.players:
            if player not in stage.entered:
                yield Finding(Weight.STOP, "not_entered", {"player": player, "round": table.round})


def check_results_complete(stage: CheckedStage) -> Iterator[Finding]:
    missing: dict[int, list[int]] = {}
    for table in stage.tables:
        if not table.complete:
            missing.setdefault(table.round, []).append(table.number)
    for round_, tables in missing.items():
        yield Finding(Weight.STOP, "results_missing", {"round": round_, "tables": tables})


def check_seated_once(stage: CheckedStage) -> Iterator[Finding]:
    """A player sits at one table a round, or at several against the same opponent: a match (reading
    PG-11)."""
    places: dict[tuple[int, int], list[int]] = {}
    met: dict[tuple[int, int], set[object]] = {}
    for table in stage.tables:
        for player in table.players:
            places.setdefault((table.round, player), []).append(table.number)
            met.setdefault((table.round, player), set()).add(
                frozenset(table.players) if len(table.players) > 1 else table.number
            )
    if not stage.is_swiss:
        return
    for (round_, player), tables in places.items():
        if len(met[round_, player]) > 1:
            yield Finding(
                Weight.STOP, "seated_twice", {"player": player, "round": round_, "tables": tables}
            )


def check_rematches(stage: CheckedStage) -> Iterator[Finding]:
    met = [
        (t.round, frozenset(t.players))
        for t in stage.tables
        if stage.is_two_player and len(t.players) > 1
    ]
    pairs = Counter(pair for _round, pair in dict.fromkeys(met))
    for pair, times in pairs.items():
        if times > 1:
            yield Finding(Weight.LOOK, "met_twice", {"players": sorted(pair), "times": times})


def check_idle_players(stage: CheckedStage) -> Iterator[Finding]:
    """Entered, not withdrawn, but neither paired nor given a bye: absent without penalty (PG-8), if
    intended."""
    seated: dict[int, set[int]] = {}
    for table in stage.tables:
        seated.setdefault(table.round, set()).update(table.players)
    for round_, players in sorted(seated.items()):
        left = {p for p, after in stage.withdrew_after.items() if after < round_}
        if idle := sorted(stage.entered - players - left):
            yield Finding(Weight.ASK, "without_table", {"round": round_, "players": idle})
