"""The rating itself (PGM 22): all games of a stage at once, on the ratings before it (PG-1), rounded once (PG-2)."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import ROUND_HALF_UP, Decimal
from math import floor, fsum
from typing import NamedTuple

from pergioco.rulekit import logistic
from pergioco.rulekit.logistic import EXACT, SCALE, rounded
from pergioco.rulekit.paragraph import paragraph
from ratings.rules.counting import Counted
from ratings.rules.editions import Edition

MILLION = 1_000_000
NEAR_A_TIE = 1e-6  # of the last digit kept: far wider than a sum of floats can err


class Change(NamedTuple):
    """One player's rating in one game, before and after a stage. Ratings are integer thousandths."""

    player: int
    before: int
    half_points: int
    expected: Decimal  # six decimals: shown, never computed with
    rated_games: int
    valid_games: int
    k: int
    after: int
    is_first: bool


@paragraph("PGM", 22)
def expected(own: int, opponent: int) -> Decimal:
    """The share of a point that the rating difference promises, to fifty digits."""
    return logistic.expected(own, opponent)


@paragraph("PGM", 22)
def rated(before: int, opponents: Sequence[int], half_points: int, k: int) -> int:
    """The new rating: one rounding, to the thousandth, half away from zero."""
    return rated_and_expected(before, opponents, half_points, k)[0]


def rated_and_expected(before: int, opponents: Sequence[int], half_points: int, k: int) -> tuple[int, Decimal]:
    """Beside the new rating the expected points, to six decimals: these are shown, never computed with.

    Floats decide where they cannot be wrong; within a millionth of a tie fifty digits do, and where a difference is
    beyond all floats. A test holds both together.
    """
    with suppress(OverflowError):
        promised = fsum([1 / (1 + 10 ** ((opponent - before) / SCALE)) for opponent in opponents])
        after = nearest(before + 1000 * k * (half_points / 2 - promised))
        millionths = nearest(promised * MILLION)
        if after is not None and millionths is not None:
            return after, Decimal(millionths).scaleb(-6)
    return rated_exactly(before, opponents, half_points, k), expected_exactly(before, opponents)


def nearest(value: float) -> int | None:
    """The whole number next to it; none if it is so near the middle of two that a float cannot tell."""
    raised = value + 0.5
    below = floor(raised)
    return below if NEAR_A_TIE < raised - below < 1 - NEAR_A_TIE else None


def rated_exactly(before: int, opponents: Sequence[int], half_points: int, k: int) -> int:
    gained = EXACT.multiply(Decimal(1000 * k), EXACT.subtract(Decimal(half_points) / 2, promised_to(before, opponents)))
    return rounded(EXACT.add(Decimal(before), gained))


def expected_exactly(before: int, opponents: Sequence[int]) -> Decimal:
    return promised_to(before, opponents).quantize(Decimal("0.000001"), ROUND_HALF_UP)


def promised_to(before: int, opponents: Sequence[int]) -> Decimal:
    promised = Decimal(0)
    for opponent in sorted(opponents):
        promised = EXACT.add(promised, expected(before, opponent))
    return promised


@paragraph("PGM", 22)
def after_stage(games: Mapping[int, Sequence[Counted]], ratings: Mapping[int, int], edition: Edition) -> list[Change]:
    """Everybody's change, whatever the order in which the games stand. Who has no rating yet starts at 1000 (PG-3)."""
    return [
        change_of(player, counted, ratings, edition)
        for player, counted in sorted(games.items())
        if player in ratings or any(game.is_valid for game in counted)
    ]


def change_of(player: int, games: Sequence[Counted], ratings: Mapping[int, int], edition: Edition) -> Change:
    before = ratings.get(player, edition.start)
    opponents = [ratings.get(game.opponent, edition.start) for game in games]
    half_points = sum([game.half_points for game in games])
    after, promised = rated_and_expected(before, opponents, half_points, edition.k)
    return Change(
        player=player,
        before=before,
        half_points=half_points,
        expected=promised,
        rated_games=len(games),
        valid_games=sum([game.is_valid for game in games]),
        k=edition.k,
        after=after,
        is_first=player not in ratings,
    )
