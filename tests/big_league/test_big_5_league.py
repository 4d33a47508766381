"""League points: base, bonus, multiplier, halving."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from big_league.rules.league import (
    Finish,
    base_points,
    bonus_of_first,
    bonus_points,
    elo_multiplier,
    league_points,
)
from tests.big_league.rounds import EDITION

FINISHES = st.integers(1, 80).flatmap(
    lambda n: st.integers(1, n).flatmap(
        lambda p: st.builds(Finish, st.just(n), st.just(p), st.integers(1, n + 1 - p))
    )
)


def to_four(exact: Fraction) -> Decimal:
    return round(Decimal(exact.numerator) / exact.denominator, 4)


@pytest.mark.parametrize(
    ("players", "place", "difference", "points"),
    [
        (6, 1, 0, "1116.6667"),
        (6, 2, 0, "750"),
        (8, 2, 50, "986.125"),
        (36, 9, 100, "962.5"),
        (5, 1, 0, "536.6667"),
        (4, 4, 0, "62.5"),
    ],
)
def test_big_5_worked_numbers(players, place, difference, points):
    found = league_points(Finish(players, place), Fraction(difference), EDITION)
    assert to_four(found.points) == Decimal(points)


@pytest.mark.parametrize(
    ("place", "points"),
    [(1, "916.6667"), (2, "750"), (3, "583.3333"), (4, "416.6667"), (5, "250"), (6, "83.3333")],
)
def test_big_5_1_the_printed_example(place, points):
    assert to_four(base_points(Finish(6, place), EDITION)) == Decimal(points)


def test_big_5_1_a_shared_place_gives_the_mean_of_the_places():
    assert base_points(Finish(6, 2, sharing=2), EDITION) == Fraction(2000, 3)
    assert base_points(Finish(6, 1, sharing=6), EDITION) == 500


@given(st.integers(1, 80))
def test_big_5_1_all_together_share_out_half_the_range_each(players):
    assert (
        sum(base_points(Finish(players, place + 1), EDITION) for place in range(players))
        == 500 * players
    )


@given(st.integers(1, 79))
def test_big_5_1_places_are_as_far_apart_as_bands(players):
    steps = [
        base_points(Finish(players, p), EDITION) - base_points(Finish(players, p + 1), EDITION)
        for p in range(1, players)
    ]
    assert steps == [Fraction(1000, players)] * (players - 1)


@pytest.mark.parametrize(
    ("players", "points"),
    [(4, "146.6667"), (5, "173.3333"), (6, "200"), (21, "600"), (36, "1000"), (64, "1000")],
)
def test_big_5_2_bonus_of_the_first(players, points):
    assert to_four(bonus_of_first(players, EDITION)) == Decimal(points)


@pytest.mark.parametrize(
    ("players", "rewarded"),
    [(1, 0), (3, 0), (4, 1), (6, 1), (7, 1), (8, 2), (11, 2), (12, 3), (36, 9), (39, 9)],
)
def test_big_5_2_only_the_first_quarter_rounded_down(players, rewarded):
    assert [
        place for place in range(1, players + 1) if bonus_points(Finish(players, place), EDITION)
    ] == [*range(1, rewarded + 1)]


def test_big_5_2_the_bonus_is_divided_by_the_place():
    assert [bonus_points(Finish(36, place), EDITION) for place in (1, 2, 9, 10)] == [
        1000,
        500,
        Fraction(1000, 9),
        0,
    ]


def test_big_5_2_a_tie_across_the_border_shares_out_what_lies_inside():
    assert bonus_points(Finish(8, 2, sharing=2), EDITION) == bonus_of_first(8, EDITION) / 4
    assert bonus_points(Finish(8, 3, sharing=2), EDITION) == 0


@pytest.mark.parametrize(
    ("difference", "times"),
    [
        (0, "1"),
        (50, "1.05"),
        (-50, "0.95"),
        (100, "1.1"),
        (101, "1.1"),
        (-100, "0.9"),
        (-999, "0.9"),
    ],
)
def test_big_5_3_the_weaker_gains_and_a_tenth_is_the_most(difference, times):
    assert elo_multiplier(Fraction(difference), EDITION) == Fraction(times)


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_big_8_1_fewer_than_six_give_half_of_everything(players):
    found = league_points(Finish(players, 1), Fraction(0), EDITION)
    assert found.is_halved
    assert found.points == (found.base + found.bonus) / 2
    assert not league_points(Finish(6, 1), Fraction(0), EDITION).is_halved


@given(FINISHES, st.fractions(-300, 300))
def test_big_5_points_are_what_the_formula_says(finish, difference):
    found = league_points(finish, difference, EDITION)
    assert (
        found.points * (2 if finish.players < 6 else 1)
        == (found.base + found.bonus) * found.multiplier
    )
    assert Fraction(9, 10) <= found.multiplier <= Fraction(11, 10)


@given(st.integers(2, 80), st.data())
def test_big_5_sharing_gives_away_nothing(players, data):
    place = data.draw(st.integers(1, players))
    sharing = data.draw(st.integers(1, players + 1 - place))
    apart = [
        league_points(Finish(players, p), Fraction(0), EDITION).points
        for p in range(place, place + sharing)
    ]
    assert sharing * league_points(
        Finish(players, place, sharing), Fraction(0), EDITION
    ).points == sum(apart)
