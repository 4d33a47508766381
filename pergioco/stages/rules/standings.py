"""Who took part in a stage (PGM 25), and the order within it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from pergioco.rulekit.ordering import Criterion, Placed, assign_places
from pergioco.rulekit.paragraph import paragraph

WIN, DRAW, LOSS = 2, 1, 0  # in half points
HALF_POINTS = {"win": WIN, "draw": DRAW, "loss": LOSS}
PRESENT = frozenset({"played", "quit", "walkover"})


class Part(NamedTuple):
    """One side of one table; without an opponent it is a bye."""

    round: int
    table: int
    player: int
    opponent: int | None
    outcome: str  # win, draw, loss
    kind: str  # played, walkover, no_show, quit, bye
    played_on: date | None = None

    def day(self, *, starts_on: date, ends_on: date) -> date:
        """The day of the game if it lies within the stage, else the last day of the stage
        (PG-13)."""
        played = self.played_on
        return played if played is not None and starts_on <= played <= ends_on else ends_on

    @property
    def place(self) -> tuple[int, int]:
        return self.round, self.table


@paragraph("PGM", 25)
def is_pure_no_show(own: Sequence[Part]) -> bool:
    """Absent at the first paired game and at all others: the player is not ranked (PG-5)."""
    return bool(own) and all(part.kind == "no_show" for part in own)


def is_valid(part: Part, *, is_swiss: bool) -> bool:
    """Whether a part is a game played (PG-9).

    A bye is not, nor is an absence in a Swiss stage; in other systems an absence is an ordinary
    loss."""
    return part.opponent is not None and (not is_swiss or part.kind in PRESENT)


@paragraph("PGM", 25)
def took_part(own: Sequence[Part], *, is_swiss: bool) -> bool:
    """Whether the stage classifies a player. Byes alone do not count."""
    return any(is_valid(part, is_swiss=is_swiss) for part in own)


class Score(NamedTuple):
    """A classified player with the points as scored, byes included, in half points."""

    player: int
    half_points: int


def score_parts(parts: Sequence[Part], *, is_swiss: bool) -> Iterator[Score]:
    """Scores the players who took part (PGM 25), by id."""
    own: dict[int, list[Part]] = defaultdict(list)
    for part in parts:
        own[part.player].append(part)
    for player, played in sorted(own.items()):
        if took_part(played, is_swiss=is_swiss):
            yield Score(player, sum(HALF_POINTS[part.outcome] for part in played))


def rank_scores(classified: Iterable[Score]) -> list[Placed[Score]]:
    """Ranks by points alone: the regulation names no tie-break of a stage, so equal points share a
    place."""
    return assign_places(
        classified, (Criterion("points", lambda s: s.half_points),), key=lambda s: s.player
    )
