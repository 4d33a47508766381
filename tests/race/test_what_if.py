"""What a player still needs in the Race: the totals are those of PGM 40, whatever the season reads
into the drops."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pergioco.stages.seasons import SETTINGS
from race.rules import (
    EDITIONS,
    Need,
    Outlook,
    last_place_for,
    points_needed,
    race_points,
    season_total,
)

EDITION = EDITIONS.in_force(2026)
POINTS = st.integers(0, 100)


def outlook(*results: int, left: int = 0, drops: str = "results") -> Outlook:
    return Outlook(results, left, drops, EDITION)


# What can be reached


@pytest.mark.parametrize(
    ("drops", "reachable"),
    [
        ("results", 100 + 43),
        ("absences_are_zero", 43 + 27 + 100 + 100 - 100),
        ("only_with_twelve", 43 + 27 + 200),
    ],
)
def test_pgm_40_two_more_first_places_leave_the_best_and_the_worst_out(drops, reachable):
    assert outlook(43, 27, left=2, drops=drops).reachable == reachable


def test_all_twelve_first_places_are_a_thousand():
    assert outlook(left=12).reachable == 1000


def test_nothing_left_is_what_there_is():
    assert outlook(43, 27, 21, 18, 15).reachable == outlook(43, 27, 21, 18, 15).net() == 66


# What it takes


def test_points_needed_for_each_number_of_stages_left():
    """To pass 27 with one result of 43: one stage is not enough, two leave one result, three leave
    two."""
    assert list(points_needed(outlook(43, left=3), to_pass=27)) == [
        Need(1, None),
        Need(2, 28),
        Need(3, 14),
    ]


def test_who_is_out_of_reach_stays_so():
    assert list(points_needed(outlook(left=2), to_pass=900)) == [Need(1, None), Need(2, None)]


def test_who_is_ahead_needs_nothing_more():
    assert list(points_needed(outlook(50, 50, 50, left=1), to_pass=10)) == [Need(1, 0)]


@given(
    st.lists(POINTS, max_size=8),
    st.integers(0, 4),
    st.integers(0, 700),
    st.sampled_from(SETTINGS["race_drops"].choices),
)
def test_the_points_needed_are_enough_and_one_less_is_not(results, left, to_pass, drops):
    own = Outlook(tuple(results), left, drops, EDITION)
    for need in points_needed(own, to_pass=to_pass):
        net = {
            points: season_total(
                0, [*results, *[points] * need.stages], stages=EDITION.most_stages, drops=drops
            ).net
            for points in range(101)
        }
        assert [points for points, reached in net.items() if reached > to_pass] == (
            list(range(need.points, 101)) if need.points is not None else []
        )


# Which place gives them


@pytest.mark.parametrize(
    ("points", "players", "place"),
    [(43, 6, 1), (27, 6, 2), (28, 6, 1), (18, 6, 4), (44, 6, None), (100, 64, 1), (0, 64, 64)],
)
def test_pgm_39_the_last_place_that_gives_so_many_points(points, players, place):
    assert last_place_for(points, players=players, edition=EDITION) == place


@given(points=POINTS, players=st.integers(1, 64))
def test_pgm_39_the_next_place_would_give_fewer(points, players):
    place = last_place_for(points, players=players, edition=EDITION)
    enough = [
        p
        for p in range(1, players + 1)
        if race_points(players=players, position=p, edition=EDITION) >= points
    ]
    assert enough == list(range(1, (place or 0) + 1))
