"""What a rating would become after games that nobody has played. Nothing is stored."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from pergioco.stages.models import Game
from ratings.facts import held_before
from ratings.rules import editions
from ratings.rules.pgr import rated


class Imagined(NamedTuple):
    """A game against somebody with that PGR (thousandths)."""

    opponent: int
    half_points: int


def pgr_of(player: int, game: Game) -> int | None:
    """As it stands today (thousandths), active or asleep; none before the first valid game."""
    held = held_before(game, date.max, [player]).get(player)
    return held.pgr if held else None


def after(before: int | None, games: Sequence[Imagined], *, year: int) -> int:
    """All of them as one stage; who has no rating yet starts as everybody does."""
    edition = editions.for_season(year)
    own = edition.start if before is None else before
    return rated(own, [game.opponent for game in games], sum(game.half_points for game in games), edition.k)
