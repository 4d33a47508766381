"""A player's side of a table between two, and who took part at all (PGM 25)."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from pergioco.rulekit.paragraph import paragraph

WIN, DRAW, LOSS = 2, 1, 0  # in half points
HALF_POINTS = {"win": WIN, "draw": DRAW, "loss": LOSS}
PRESENT = frozenset({"played", "quit", "walkover"})


class Part(NamedTuple):
    """One side of one table; alone at it, there is no opponent: a bye."""

    round: int
    table: int
    player: int
    opponent: int | None
    outcome: str  # win, draw, loss
    kind: str  # played, walkover, no_show, quit, bye
    played_on: date | None = None

    def day(self, *, starts_on: date, ends_on: date) -> date:
        """Its own, if the stage was on then, else the stage's last one (PG-13)."""
        played = self.played_on
        return played if played is not None and starts_on <= played <= ends_on else ends_on

    @property
    def place(self) -> tuple[int, int]:
        return self.round, self.table


@paragraph("PGM", 25)
def is_pure_no_show(own: Sequence[Part]) -> bool:
    """Absent at the first game he was paired for, and at all the others: he does not enter the ranking (PG-5)."""
    return bool(own) and all(part.kind == "no_show" for part in own)


def is_valid(part: Part, *, is_swiss: bool) -> bool:
    """Whether it is a game played: a bye is none, nor is an absence in a Swiss stage; elsewhere it is an ordinary loss
    (PG-9)."""
    return part.opponent is not None and (not is_swiss or part.kind in PRESENT)


@paragraph("PGM", 25)
def took_part(own: Sequence[Part], *, is_swiss: bool) -> bool:
    """Whether a player is classified in the stage. Byes alone are no taking part."""
    return any(is_valid(part, is_swiss=is_swiss) for part in own)
