"""One table: the worked numbers, the cap, the order of arrival."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from risiko_master.rules.editions import EDITIONS
from risiko_master.rules.points import Sitting, arrival, score_table, thousandths

EDITION = EDITIONS[-1]


def points(table_points, players, *, won=False, made=False) -> int:
    sitting = Sitting(1, 1, Decimal(table_points), objective_made=made)
    return thousandths(sitting, players=players, is_winner=won, edition=EDITION)


def table(*rows) -> list[Sitting]:
    """(table points, off objective, made): in the order of play; players count from one."""
    return [
        Sitting(number, number, Decimal(p), Decimal(off), objective_made=made)
        for number, (p, off, made) in enumerate(rows, 1)
    ]


def arrived(*rows) -> list[int]:
    return [placed.row.player for placed in arrival(table(*rows))]


@pytest.mark.parametrize(
    ("table_points", "players", "won", "expected"),
    [
        (45, 4, True, 1045),  # printed
        (39, 4, False, 39),  # printed
        (21, 5, False, 27),  # printed: 26.25, always up
        (45, 5, True, 1057),  # 56.25
        (44, 5, True, 1055),  # 55 exactly
        (79, 5, True, 1099),  # 98.75
        (80, 5, True, 1100),  # printed: the cap begins here
        (86, 5, True, 1100),  # printed
        (86, 4, True, 1086),
        (0, 4, False, 0),
        (0, 5, True, 1000),
    ],
)
def test_rkm_points_worked_numbers(table_points, players, won, expected):
    assert points(table_points, players, won=won) == expected


@pytest.mark.parametrize(("table_points", "expected"), [(80, 100), (81, 100), (86, 100)])
def test_rkm_points_of_who_did_not_win_are_capped_alike_at_a_table_of_five(table_points, expected):
    assert points(table_points, 5) == expected


@pytest.mark.parametrize("players", [4, 5])
@pytest.mark.parametrize("table_points", [0, 45, 86])
def test_rkm_points_of_risiko_made_are_the_same_at_every_table(players, table_points):
    assert points(table_points, players, won=True, made=True) == 1100


def test_rkm_points_others_keep_their_table_points_when_somebody_made_risiko():
    rows = score_table(
        table((50, 0, False), (10, 0, True), (33, 0, False), (20, 0, False)), EDITION
    )
    assert [(row.player, row.place, row.thousandths) for row in rows] == [
        (2, 1, 1100),
        (1, 2, 50),
        (3, 3, 33),
        (4, 4, 20),
    ]


@given(st.integers(0, 86))
def test_rkm_points_at_five_are_the_smallest_thousandth_that_is_not_less(table_points):
    found = points(table_points, 5)
    assert found == min(-(-table_points * 5 // 4), 100)
    assert points(table_points, 5, won=True) == found + 1000


def test_rkm_table_more_table_points_stand_before():
    assert arrived((20, 0, False), (45, 0, False), (39, 0, False), (10, 0, False)) == [2, 3, 1, 4]


def test_rkm_table_a_tie_goes_to_more_points_outside_the_objective():
    assert arrived((45, 3, False), (45, 7, False), (39, 9, False), (45, 1, False)) == [2, 1, 4, 3]


def test_rkm_table_a_further_tie_goes_to_who_played_later_in_every_place():
    assert arrived((45, 3, False), (20, 0, False), (45, 3, False), (20, 0, False)) == [3, 1, 4, 2]


def test_rkm_table_risiko_made_wins_against_more_table_points():
    assert arrived((86, 9, False), (5, 0, True), (40, 0, False), (40, 0, False))[0] == 2


def test_rkm_table_says_what_decided_each_place():
    rows = score_table(
        table((45, 3, False), (45, 7, False), (45, 3, False), (20, 0, True)), EDITION
    )
    assert [(row.player, row.decided_by) for row in rows] == [
        (4, ""),
        (2, "objective_made"),
        (3, "off_objective"),
        (1, "order_of_play"),
    ]


SEATS = st.tuples(st.integers(0, 86), st.integers(0, 3), st.booleans())


@given(st.lists(SEATS, min_size=4, max_size=5))
def test_rkm_table_has_exactly_one_winner_and_each_place_once(rows):
    found = score_table(table(*rows), EDITION)
    assert [row.place for row in found] == list(range(1, len(rows) + 1))
    assert [row.player for row in found if row.thousandths >= 1000 and not row.objective_made] == [
        row.player for row in found[:1] if not row.objective_made
    ]
    assert max(row.thousandths for row in found) == found[0].thousandths <= 1100


def test_the_parameters_are_those_of_the_season():
    assert EDITIONS.in_force(2026) is EDITIONS[-1]
    assert EDITIONS.in_force(2000) is EDITIONS[0]
