"""Tables of four and of five."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from risiko_master.rules.draw_facts import (
    ImpossibleNumber,
    is_possible,
    nearest_possible,
    table_sizes,
)


@pytest.mark.parametrize(
    ("players", "fours", "fives"),
    [
        (62, 13, 2),
        (15, 0, 3),
        (18, 2, 2),
        (13, 2, 1),
        (4, 1, 0),
        (5, 0, 1),
        (8, 2, 0),
        (10, 0, 2),
        (38, 7, 2),
    ],
)
def test_rkm_tables_worked_numbers(players, fours, fives):
    assert table_sizes(players) == (4,) * fours + (5,) * fives


def test_rkm_tables_the_impossible_numbers():
    assert [players for players in range(500) if not is_possible(players)] == [0, 1, 2, 3, 6, 7, 11]


@pytest.mark.parametrize(
    ("players", "nearest"),
    [(0, (4,)), (1, (4,)), (3, (4,)), (6, (5, 8)), (7, (5, 8)), (11, (10, 12))],
)
def test_rkm_tables_an_impossible_number_tells_what_would_be_possible(players, nearest):
    with pytest.raises(ImpossibleNumber) as refused:
        table_sizes(players)
    assert (refused.value.players, refused.value.nearest) == (players, nearest)
    assert nearest_possible(players) == nearest


@given(st.integers(12, 1000))
def test_rkm_tables_seat_everybody_with_the_fewest_fives(players):
    sizes = table_sizes(players)
    possible = [
        fives for fives in range(players) if players >= 5 * fives and (players - 5 * fives) % 4 == 0
    ]
    assert (sum(sizes), sizes.count(5), list(sizes)) == (players, possible[0], sorted(sizes))
