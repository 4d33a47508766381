"""The rating's arithmetic: worked numbers, exactness, and what must never matter."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pergioco.stages.rules.standings import Part
from ratings.rules import (
    EDITIONS,
    Counted,
    changes_after_stage,
    expected_exactly,
    expected_share,
    nearest_whole,
    new_rating,
    new_rating_and_expected,
    new_rating_exactly,
)

EDITION = EDITIONS.in_force(2026)
RATINGS = st.integers(0, 3_000_000)
GAMES = st.lists(RATINGS, min_size=1, max_size=12)


def won(opponent: int, half_points: int = 2) -> Counted:
    return Counted(
        Part(1, 1, 0, opponent, "", "played"), half_points, is_valid=True, reason="played"
    )


@pytest.mark.parametrize(
    ("own", "opponent", "half_points", "after"),
    [
        (1_000_000, 1_000_000, 2, 1_010_000),
        (1_000_000, 1_000_000, 0, 990_000),
        (1_070_000, 960_000, 2, 1_076_936),
        (960_000, 1_070_000, 0, 953_064),
        (1_100_000, 1_000_000, 1, 1_097_199),
        (1_000_000, 1_100_000, 1, 1_002_801),
    ],
)
def test_pgm_22_worked_numbers(own, opponent, half_points, after):
    assert new_rating(own, [opponent], half_points, 20) == after
    assert new_rating_exactly(own, [opponent], half_points, 20) == after


def test_pgm_22_a_difference_beyond_all_floats_is_still_exact():
    assert new_rating(1_000_000, [999_999_999], 2, 20) == 1_020_000
    assert new_rating_and_expected(999_999_999, [1_000_000], 2, 20) == (999_999_999, Decimal(1))
    assert new_rating_and_expected(1_000_000, [999_999_999], 0, 20) == (1_000_000, Decimal(0))


@given(RATINGS, GAMES, st.data())
def test_pgm_22_floats_and_fifty_digits_agree(own, opponents, data):
    half_points = data.draw(st.integers(0, 2 * len(opponents)))
    assert new_rating(own, opponents, half_points, 20) == new_rating_exactly(
        own, opponents, half_points, 20
    )


@given(RATINGS, GAMES)
@example(1_000_000, [1_000_000] * 3)
@example(3_000_000, [0] * 12)
def test_pgm_22_expected_points_are_shown_as_fifty_digits_round_them(own, opponents):
    assert repr(new_rating_and_expected(own, opponents, 0, 20)[1]) == repr(
        expected_exactly(own, opponents)
    )


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (7.4, 7),
        (7.6, 8),
        (7.5, None),
        (7.499_999_5, None),
        (7.500_000_5, None),
        (7.499_99, 7),
        (-7.4, -7),
        (-7.5, None),
    ],
)
def test_pgm_22_near_the_middle_of_two_numbers_floats_do_not_decide(value, whole):
    assert nearest_whole(value) == whole


@pytest.mark.parametrize(
    ("spoilt", "is_noticed"),
    [
        (0.500_000_5, True),
        (0.500_025, True),
        (0.500_001, False),
    ],  # between two millionths; two thousandths; far off
)
def test_pgm_22_near_a_tie_fifty_digits_decide(monkeypatch, spoilt, is_noticed):
    monkeypatch.setattr("ratings.rules.fsum", lambda terms: spoilt)
    found = new_rating_and_expected(1_070_000, [960_000], 2, 20)
    assert (found == (1_076_936, Decimal("0.653217"))) is is_noticed


@given(RATINGS, RATINGS)
def test_pgm_22_both_expectations_make_one(a, b):
    assert abs(expected_share(a, b) + expected_share(b, a) - 1) < Decimal("1e-45")


@given(RATINGS, RATINGS)
@example(1_000_000, 1_000_000)
def test_pgm_22_no_cap_at_four_hundred_points(a, b):
    assert (expected_share(a, b) > expected_share(a, b + 1)) is True


@given(RATINGS, st.permutations([900_000, 1_000_000, 1_234_567, 1_500_001]))
def test_pgm_22_order_of_games_does_not_matter(own, opponents):
    assert new_rating(own, opponents, 3, 20) == new_rating(own, sorted(opponents), 3, 20)


def test_pgm_22_ties_are_rounded_away_from_zero_by_the_exact_path():
    # Against equals the expected score is exactly one half: 20 x 0.5 x 1000 leaves no fraction to
    # round.
    assert new_rating(1_000_001, [1_000_001], 1, 20) == 1_000_001
    assert new_rating_exactly(-5, [-5], 2, 1) == 495


def test_pgm_22_all_games_of_a_stage_are_rated_on_the_ratings_before_it():
    games = {1: [won(2), won(3)], 2: [won(1, 0)], 3: [won(1, 0)]}
    before = {1: 1_000_000, 2: 1_200_000, 3: 900_000}
    changes = {change.player: change for change in changes_after_stage(games, before, EDITION)}
    assert changes[1].after == new_rating(1_000_000, [1_200_000, 900_000], 4, 20)
    assert changes[3].after == new_rating(900_000, [1_000_000], 0, 20)
    assert (changes[1].expected, changes[1].valid_games) == (Decimal("0.880318"), 2)


def test_pgm_22_newcomers_start_at_one_thousand_and_count_as_such_for_others():
    (one, two) = changes_after_stage({1: [won(2)], 2: [won(1, 0)]}, {}, EDITION)
    assert (one.before, one.after, two.after, one.is_first) == (1_000_000, 1_010_000, 990_000, True)


def test_pgm_22_newcomer_with_only_a_penalty_gets_no_rating():
    penalty = Counted(Part(1, 1, 0, 1, "loss", "no_show"), 0, is_valid=False, reason="penalty")
    assert [c.player for c in changes_after_stage({1: [won(2)], 2: [penalty]}, {}, EDITION)] == [1]


@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2)), max_size=20),
    st.data(),
)
def test_pgm_22_played_games_keep_the_sum_of_ratings(pairs, data):
    """K is the same for both sides: what one gains the other loses, up to a half thousandth for
    each player."""
    games: dict[int, list[Counted]] = {}
    for a, b, half in pairs:
        if a != b:
            games.setdefault(a, []).append(won(b, half))
            games.setdefault(b, []).append(won(a, 2 - half))
    before = {player: data.draw(st.integers(500_000, 2_000_000)) for player in games}
    changes = changes_after_stage(games, before, EDITION)
    assert abs(sum(c.after - c.before for c in changes)) <= Fraction(len(changes), 2)
