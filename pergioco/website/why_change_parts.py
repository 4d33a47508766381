"""One change of a rating, game by game and step by step, from what was stored when it was computed."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.functional import Promise

from pergioco.ledger.models import PgrChange
from pergioco.players.models import Player
from pergioco.rulekit.logistic import EXACT
from ratings.labels import REASONS
from ratings.rules.pgr import expected, promised_to
from ratings.trace import TracedGame, parse

THOUSAND = 1000
SIX = Decimal("0.000001")


@dataclass(frozen=True)
class Shown:
    game: TracedGame
    opponent: Player | None
    expected: Decimal | None
    scored: Decimal | None
    reason: str | Promise


def steps(change: PgrChange) -> dict[str, Any]:
    games = parse(change.games)
    opponents = Player.objects.with_names().in_bulk({game.opponent for game in games if game.opponent is not None})
    gained, exact = unrounded(change, games)
    return {
        "games": [shown(change, game, opponents) for game in games],
        "scored": Decimal(change.half_points) / 2,
        "gained": gained,
        "exact": exact,
        "moved": Decimal(change.after - change.before).scaleb(-3),
    }


def shown(change: PgrChange, game: TracedGame, opponents: dict[int, Player]) -> Shown:
    opponent = opponents.get(game.opponent) if game.opponent is not None else None
    if game.half_points is None or game.opponent_before is None:
        return Shown(game, opponent, None, None, REASONS[game.reason])
    promised = expected(change.before, game.opponent_before).quantize(SIX, ROUND_HALF_UP)
    return Shown(game, opponent, promised, Decimal(game.half_points) / 2, REASONS[game.reason])


def unrounded(change: PgrChange, games: list[TracedGame]) -> tuple[Decimal, Decimal]:
    """What the games are worth, and the new rating before its one rounding (PG-2); in points."""
    opponents = [game.opponent_before for game in games if game.counts and game.opponent_before is not None]
    promised = promised_to(change.before, opponents)
    gained = EXACT.multiply(Decimal(change.k), EXACT.subtract(Decimal(change.half_points) / 2, promised))
    return gained, EXACT.add(Decimal(change.before) / THOUSAND, gained)
