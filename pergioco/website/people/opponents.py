"""Whom a player met most, and how it went: the games as they count for the rating, from what was stored with it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pergioco.ledger.models import PgrChange
from pergioco.players.models import Player
from pergioco.players.naming import named_in_public
from pergioco.stages.models import Game
from pergioco.stages.rules.parts import DRAW, WIN
from ratings.trace import TracedGame, parse

MOST_SHOWN = 10


class Score(NamedTuple):
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __str__(self) -> str:
        return f"{self.wins}–{self.draws}–{self.losses}"

    @property
    def games(self) -> int:
        return sum(self)

    def after(self, half_points: int) -> "Score":
        won, drawn = half_points == WIN, half_points == DRAW
        return Score(self.wins + won, self.draws + drawn, self.losses + (not won and not drawn))

    def plus(self, other: "Score") -> "Score":
        return Score(*(one + more for one, more in zip(self, other, strict=True)))


@dataclass(frozen=True)
class Opponent:
    player: Player
    total: Score
    games: list[tuple[Game, Score]]


def counted(changes: Iterable[PgrChange]) -> Iterator[tuple[PgrChange, TracedGame]]:
    """Every game that moved the rating."""
    for change in changes:
        yield from ((change, game) for game in parse(change.games) if game.counts)


def frequent(changes: Iterable[PgrChange]) -> list[Opponent]:
    """Those who are named in public, the most frequent first."""
    scores: dict[int, dict[Game, Score]] = defaultdict(lambda: defaultdict(Score))
    for change, game in counted(changes):
        if game.opponent is not None and game.half_points is not None:
            own = scores[game.opponent]
            own[change.game] = own[change.game].after(game.half_points)
    named = named_in_public().filter(pk__in=scores).with_names()
    found = [opponent_of(player, scores[player.pk]) for player in named]
    return sorted(found, key=lambda one: (-one.total.games, one.player.person.search_key, one.player.pk))[:MOST_SHOWN]


def opponent_of(player: Player, scores: Mapping[Game, Score]) -> Opponent:
    by_game = sorted(scores.items(), key=lambda pair: (-pair[1].games, pair[0].name.casefold()))
    return Opponent(player, added_up(scores.values()), by_game)


def added_up(scores: Iterable[Score]) -> Score:
    total = Score()
    for score in scores:
        total = total.plus(score)
    return total
