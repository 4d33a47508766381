"""How the games of one change are kept: one line of text, written and read here and nowhere else.

Games stand in the order of play, with a space between them; each is round, table, opponent, the opponent's rating
before (thousandths), half points and reason, with a dot between them. A dash stands for what is not there: a bye has
no opponent, and what does not count has no points.
"""

from collections.abc import Iterable
from typing import NamedTuple

NOTHING = "-"
GAME = "%s.%s.%s.%s.%s.%s"
COST_POINTS_ONLY = "penalty"  # counts, but is no game played (PG-13)


class TracedGame(NamedTuple):
    """One table of a stage as it entered a player's rating, or why it did not: then there are no half points."""

    round: int
    table: int
    opponent: int | None
    opponent_before: int | None  # thousandths
    half_points: int | None
    reason: str  # in words: `ratings.labels.REASONS`

    @property
    def counts(self) -> bool:
        return self.half_points is not None

    @property
    def is_valid(self) -> bool:
        return self.counts and self.reason != COST_POINTS_ONLY


def write(games: Iterable[TracedGame]) -> str:
    return " ".join([GAME % game for game in games]).replace(str(None), NOTHING)


def parse(trace: str) -> list[TracedGame]:
    return [traced(game) for game in trace.split()]


def traced(game: str) -> TracedGame:
    round_, table, opponent, before, half_points, reason = game.split(".")
    return TracedGame(int(round_), int(table), number(opponent), number(before), number(half_points), reason)


def number(text: str) -> int | None:
    return None if text == NOTHING else int(text)
