"""The final phases while they are played: who is still in, and who meets whom next (BIG 4.3 and 4.4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from big_league.rules.editions import Edition
from big_league.rules.final_order import EVERYBODY, FINAL
from big_league.rules.phases import PAIR, Opening, Table, bracket, groups, next_phase, seated
from big_league.rules.standings import Round
from big_league.rules.table import Part, placed
from pergioco.rulekit.paragraph import paragraph

CODES = {"final": FINAL, "semifinal": "semifinal", "quarterfinal": "final_4"}


class Over(ValueError):
    """The final has been played, or nobody is left to play one."""


@dataclass(frozen=True)
class Phase:
    """The code of a round's phase, its tables, and who waits for the one after it."""

    code: str
    tables: tuple[Table, ...]
    waiting: tuple[int, ...]
    opening: Opening


def of_elimination(rounds: Sequence[Round]) -> list[Round]:
    return [one for one in rounds if one.phase not in EVERYBODY]


def code_of(opening: Opening) -> str:
    """As a round bears it: eight tables of two are the phase “final_8”."""
    size = opening.phase.rpartition("_")[2]
    return CODES.get(opening.phase) or f"final_{int(size) // PAIR}"


def begins(qualified: Sequence[int], size: int) -> Phase:
    """With tables of that size, a smaller final if somebody left; `qualified` in the order of the qualification."""
    count = len(qualified)
    if count < PAIR:
        raise Over
    opening = bracket(count, False) if size == PAIR else groups(count, min(size, count), False)  # noqa: FBT003
    waiting = tuple(qualified[: opening.straight])
    return Phase(code_of(opening), seated(qualified, opening), waiting, opening)


@paragraph("BIG", "4.3", "4.4")
def winner(table: Sequence[Part], qualification: Sequence[int], edition: Edition) -> int:
    """Who goes on: the first, and of those who share that place the one who qualified better."""
    first = {one.player for one in placed(table, edition) if one.place == 1}
    return next(player for player in qualification if player in first)


def still_in(rounds: Sequence[Round], qualification: Sequence[int], edition: Edition) -> tuple[int, ...]:
    """In the order of the qualification: who waited in the first phase, and winners of every table since.

    How many waited follows from the phase that was played: its seats are known, and so are those who filled them.
    """
    played = of_elimination(rounds)
    first = [part.player for table in played[0].tables.values() for part in table]
    size = max(map(len, played[0].tables.values()))
    waited = [player for player in qualification if player not in first][: waiting_in(played[0], size)]
    left = {*waited, *first}
    for one in played:
        if one.phase == FINAL:
            raise Over
        for table in one.tables.values():
            left -= {part.player for part in table} - {winner(table, qualification, edition)}
    return next_phase(qualification, left)


def waiting_in(one: Round, size: int) -> int:
    """Of the phase that begins the elimination: seats of the phase after it that no table of this one fills."""
    tables = len(one.tables)
    if one.phase == FINAL:
        return 0
    after = size if one.phase == "semifinal" else int(one.phase.rpartition("_")[2])
    return after - tables
