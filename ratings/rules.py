"""The rating (PGM 22), the games that count (PGM 25 and 26, PG-5 to PG-10) and the purge (PGM
28)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from math import floor, fsum
from operator import itemgetter
from typing import NamedTuple

from pergioco.rulekit import numbers
from pergioco.rulekit.editions import Editions
from pergioco.rulekit.numbers import EXACT, SCALE, round_half_up
from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.rules.standings import HALF_POINTS, LOSS, PRESENT, Part, is_pure_no_show

FIRST_DAY = date(2021, 10, 1)  # of the rating (PGM 19)


# An edition in force is never edited: a changed rule gets a new one.
@dataclass(frozen=True)
class Edition:
    since: int
    k: int
    start: int  # thousandths


EDITIONS = Editions(Edition(since=2021, k=20, start=1_000_000))


PLACE = itemgetter(0, 1)  # round and table


class Counted(NamedTuple):
    """A game as it enters one player's rating."""

    part: Part
    half_points: int
    is_valid: bool  # a penalty costs points but is no game played (PG-13)
    reason: str

    @property
    def opponent(self) -> int:
        assert self.part.opponent is not None  # byes are left out before
        return self.part.opponent


def sides_by_player(parts: Iterable[Part]) -> dict[int, list[Part]]:
    sides: dict[int, list[Part]] = defaultdict(list)
    for part in parts:
        sides[part.player].append(part)
    for own in sides.values():
        own.sort(key=PLACE)
    return sides


def counted_games(parts: Iterable[Part], *, is_swiss: bool) -> dict[int, list[Counted]]:
    return count_sides(sides_by_player(parts), is_swiss=is_swiss)


def count_sides(sides: Mapping[int, list[Part]], *, is_swiss: bool) -> dict[int, list[Counted]]:
    # A bye is no game (PGM 26).
    counting = count_swiss_games if is_swiss else count_all_games
    found = {
        player: counting([part for part in own if part.opponent is not None])
        for player, own in sides.items()
    }
    return {player: games for player, games in found.items() if games}


def why_left_out(part: Part, own: Iterable[Part]) -> str:
    """The reason code of a bye, or of an absence that costs nothing (PG-6, PG-7)."""
    if part.opponent is None:
        return "bye"
    first = next(one for one in own if one.opponent is not None)
    return "first_absence" if part is first else "absence_again"


def count_all_games(own: list[Part]) -> list[Counted]:
    """Outside the Swiss system an absence is an ordinary loss (reading PG-9)."""
    return [count_as_valid(part) for part in own]


@paragraph("PGM", 25)
def count_swiss_games(own: list[Part]) -> list[Counted]:
    """A player who misses the first game and never plays is untouched; a later absence costs one
    game (PG-7)."""
    if is_pure_no_show(own):
        return []
    first_absence_after_the_first_game = next((p for p in own[1:] if p.kind == "no_show"), None)
    return [
        count_as_valid(part)
        if part.kind in PRESENT
        else Counted(part, LOSS, is_valid=False, reason="penalty")
        for part in own
        if part.kind in PRESENT or part is first_absence_after_the_first_game
    ]


@paragraph("PGM", 26)
def count_as_valid(part: Part) -> Counted:
    """Wins by absence or by abandonment are valid wins; an abandoned game is an ordinary loss
    (PG-10)."""
    return Counted(part, HALF_POINTS[part.outcome], is_valid=True, reason=part.kind)


MILLION = 1_000_000
NEAR_A_TIE = 1e-6  # of the last digit kept: far wider than a sum of floats can err


class Change(NamedTuple):
    """One player's rating in one game, before and after a stage. Ratings are integer
    thousandths."""

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
def expected_share(own: int, opponent: int) -> Decimal:
    """The expected points of one game, to fifty digits."""
    return numbers.expected_share(own, opponent)


@paragraph("PGM", 22)
def new_rating(before: int, opponents: Sequence[int], half_points: int, k: int) -> int:
    """One rounding, to the thousandth, half away from zero."""
    return new_rating_and_expected(before, opponents, half_points, k)[0]


def new_rating_and_expected(
    before: int, opponents: Sequence[int], half_points: int, k: int
) -> tuple[int, Decimal]:
    """The new rating, and the expected points to six decimals, which are only shown.

    Floats decide unless the result is within a millionth of a tie or overflows; then fifty digits
    do. A test compares both.
    """
    with suppress(OverflowError):
        promised = fsum([1 / (1 + 10 ** ((opponent - before) / SCALE)) for opponent in opponents])
        after = nearest_whole(before + 1000 * k * (half_points / 2 - promised))
        millionths = nearest_whole(promised * MILLION)
        if after is not None and millionths is not None:
            return after, Decimal(millionths).scaleb(-6)
    return new_rating_exactly(before, opponents, half_points, k), expected_exactly(
        before, opponents
    )


def nearest_whole(value: float) -> int | None:
    """`None` if the value is too near the middle of two integers for a float to tell."""
    raised = value + 0.5
    below = floor(raised)
    return below if NEAR_A_TIE < raised - below < 1 - NEAR_A_TIE else None


def new_rating_exactly(before: int, opponents: Sequence[int], half_points: int, k: int) -> int:
    gained = EXACT.multiply(
        Decimal(1000 * k),
        EXACT.subtract(Decimal(half_points) / 2, expected_total(before, opponents)),
    )
    return round_half_up(EXACT.add(Decimal(before), gained))


def expected_exactly(before: int, opponents: Sequence[int]) -> Decimal:
    return expected_total(before, opponents).quantize(Decimal("0.000001"), ROUND_HALF_UP)


def expected_total(before: int, opponents: Sequence[int]) -> Decimal:
    promised = Decimal(0)
    for opponent in sorted(opponents):
        promised = EXACT.add(promised, expected_share(before, opponent))
    return promised


@paragraph("PGM", 22)
def changes_after_stage(
    games: Mapping[int, Sequence[Counted]], ratings: Mapping[int, int], edition: Edition
) -> list[Change]:
    """In any order of the games. A player without a rating starts at 1000 (PG-3)."""
    return [
        rating_change(player, counted, ratings, edition)
        for player, counted in sorted(games.items())
        if player in ratings or any(game.is_valid for game in counted)
    ]


def rating_change(
    player: int, games: Sequence[Counted], ratings: Mapping[int, int], edition: Edition
) -> Change:
    before = ratings.get(player, edition.start)
    opponents = [ratings.get(game.opponent, edition.start) for game in games]
    half_points = sum([game.half_points for game in games])
    after, promised = new_rating_and_expected(before, opponents, half_points, edition.k)
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


YEARS_KEPT = 5  # the current one and the four before it


@paragraph("PGM", 28)
def is_purged(*, is_registered: bool, last_game_of_any: date | None, new_year: int) -> bool:
    """On 1 January: unregistered players without a game in any category in five calendar years
    (PG-20)."""
    if is_registered:
        return False
    return last_game_of_any is None or last_game_of_any.year <= new_year - YEARS_KEPT
