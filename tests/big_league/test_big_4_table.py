"""Places and points at one table."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from big_league.rules.table import Part, place_table, table_points
from tests.big_league.rounds import EDITION, part

SIZES = sorted(EDITION.table_points)


def told(*parts: Part) -> dict[int, tuple[int, object]]:
    return {one.player: (one.place, one.points) for one in place_table(parts, EDITION)}


@pytest.mark.parametrize(
    ("seats", "row"),
    [
        (2, (1000, 336)),
        (3, (1000, 507, 251)),
        (4, (1000, 611, 403, 200)),
        (5, (1000, 682, 507, 336, 167)),
        (6, (1000, 730, 581, 433, 287, 143)),
        (7, (1000, 781, 640, 507, 378, 251, 125)),
    ],
)
def test_big_4_the_printed_table(seats, row):
    assert (
        tuple(
            table_points(seats, place, sharing=1, edition=EDITION) for place in range(1, seats + 1)
        )
        == row
    )


def test_big_8_1_two_firsts_of_four_share_the_first_two_places():
    assert told(part(1, 50), part(2, 50), part(3, 40), part(4, 30)) == {
        1: (1, Fraction("805.5")),
        2: (1, Fraction("805.5")),
        3: (3, 403),
        4: (4, 200),
    }


def test_big_8_1_thirds_are_kept_exactly():
    found = place_table([part(1, 5), part(2, 5), part(3, 5), part(4, 1)], EDITION)
    assert [one.points for one in found[:3]] == [Fraction(2014, 3)] * 3
    assert [one.sharing for one in found] == [3, 3, 3, 1]


def test_big_7_2_2_a_suspended_table_is_shared_by_all_whatever_the_scores():
    parts = [part(player, score, outcome="draw") for player, score in enumerate([9, 7, 5, 3], 1)]
    assert {one.points for one in place_table(parts, EDITION)} == {Fraction("553.5")}


def test_big_7_2_2_out_of_time_is_last_whatever_the_score():
    assert told(part(1, 99, timed_out=1), part(2, 10), part(3, 20)) == {
        3: (1, 1000),
        2: (2, 507),
        1: (3, 251),
    }


def test_big_7_2_2_of_two_out_of_time_the_later_one_stands_first():
    parts = [part(1, 99, timed_out=1), part(2, 10, timed_out=2), part(3, 20)]
    assert [one.player for one in place_table(parts, EDITION)] == [3, 2, 1]


def test_big_7_2_2_where_nobody_knows_who_was_later_they_share():
    assert told(part(1, 99, timed_out=1), part(2, 10, timed_out=1), part(3, 20)) == {
        3: (1, 1000),
        1: (2, 379),
        2: (2, 379),
    }


def test_big_7_2_2_who_left_the_table_stands_below_who_ran_out_of_time():
    assert [
        one.player
        for one in place_table(
            [part(1, 99, kind="quit"), part(2, 1, timed_out=1), part(3)], EDITION
        )
    ] == [
        3,
        2,
        1,
    ]


def test_big_4_bids_are_taken_off_before_places_are_given():
    assert told(part(1, 50, bid=Decimal(12)), part(2, 40, bid=Decimal(1)), part(3, 38)) == {
        2: (1, 1000),
        1: (2, 379),
        3: (2, 379),
    }


def test_big_8_1_an_outcome_tells_what_the_tie_break_of_the_game_decided():
    assert [
        one.place
        for one in place_table([part(1, 50), part(2, 50, outcome="win"), part(3, 60)], EDITION)
    ] == [
        1,
        2,
        3,
    ]
    assert (
        place_table([part(1, 50), part(2, 50, outcome="win"), part(3, 60)], EDITION)[0].player == 2
    )


@pytest.mark.parametrize(
    ("outcomes", "row"),
    [
        (("win", "loss"), [(1, 1000), (2, 336)]),
        (("draw", "draw"), [(1, 668), (1, 668)]),
        (("loss", "loss"), [(2, 336), (2, 336)]),
    ],
)
def test_big_4_between_two_the_outcome_decides(outcomes, row):
    found = place_table(
        [part(number, outcome=outcome) for number, outcome in enumerate(outcomes, 1)], EDITION
    )
    assert [(one.place, one.points) for one in found] == row


def test_big_4_between_two_scores_decide_where_there_is_no_outcome():
    assert told(part(1, 41), part(2, 42)) == {2: (1, 1000), 1: (2, 336)}
    assert told(part(1, 41), part(2, 41)) == {1: (1, 668), 2: (1, 668)}


def test_big_4_alone_at_the_table_is_worth_a_win():
    assert told(part(7, outcome="win", kind="bye")) == {7: (1, 1000)}


def test_big_4_who_is_absent_sits_at_no_table_of_many():
    assert told(part(1, 5), part(2, 3), part(3, kind="no_show")) == {1: (1, 1000), 2: (2, 336)}


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=7))
def test_big_8_1_sharing_places_gives_away_nothing(scores):
    found = place_table([part(number, score) for number, score in enumerate(scores)], EDITION)
    assert sum(one.points for one in found) == sum(EDITION.table_points[len(scores)])
    for one in found:
        assert one.place == 1 + sum(score > scores[one.player] for score in scores)


@given(
    st.permutations(
        [part(1, 5), part(2, 5), part(3, 4), part(4, 9, timed_out=1), part(5, 1, kind="quit")]
    )
)
def test_big_8_1_the_order_of_the_seats_means_nothing(parts):
    assert told(*parts) == {
        1: (1, Fraction(841)),
        2: (1, Fraction(841)),
        3: (3, 507),
        4: (4, 336),
        5: (5, 167),
    }
