"""What an import would change in the stage as it stands, table by table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pergioco.stages.facts import RoundFacts, TableFacts
from pergioco.stages.rules.results import sign_of


@dataclass(frozen=True)
class Row:
    """One table: `before` is empty for a new one, `after` for one that goes."""

    round: int
    players: tuple[int, ...]
    before: str
    after: str


@dataclass(frozen=True)
class Difference:
    added: tuple[Row, ...]
    removed: tuple[Row, ...]
    changed: tuple[Row, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


Meeting = tuple[int, tuple[int, ...], int]  # round, players, the how-manieth time


def difference(before: Sequence[RoundFacts], after: Sequence[RoundFacts]) -> Difference:
    was, now = meetings(before), meetings(after)
    return Difference(
        added=tuple(Row(key[0], key[1], "", now[key]) for key in now if key not in was),
        removed=tuple(Row(key[0], key[1], was[key], "") for key in was if key not in now),
        changed=tuple(Row(key[0], key[1], was[key], now[key]) for key in now if was.get(key, now[key]) != now[key]),
    )


def meetings(rounds: Sequence[RoundFacts]) -> dict[Meeting, str]:
    """A pair is the same whichever way it is written, so it is read from the smaller id."""
    found: dict[Meeting, str] = {}
    times: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for round_ in rounds:
        for table in round_.tables:
            seats = sorted(table.seats, key=lambda seat: seat.player)
            players = tuple(seat.player for seat in seats)
            times[round_.number, players] += 1
            sign = sign_of(tuple((seat.outcome, seat.kind) for seat in seats))
            found[round_.number, players, times[round_.number, players]] = sign
    return found


def same_facts(before: Sequence[RoundFacts], after: Sequence[RoundFacts]) -> bool:
    """Who sat where and what came of it; from which line it was read is no difference."""
    return [bare(round_) for round_ in before] == [bare(round_) for round_ in after]


def bare(round_: RoundFacts) -> tuple[int, list[tuple[object, ...]]]:
    return round_.number, [(table.number, table.seats) for table in without_order(round_)]


def without_order(round_: RoundFacts) -> list[TableFacts]:
    return sorted(round_.tables, key=lambda table: table.number)
