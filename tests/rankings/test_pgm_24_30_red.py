"""The overall PGR and the Red ranking."""

from decimal import Decimal
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankings.rules import EDITIONS, Active, overall_pgr, overall_standings, rank_blue, rank_red

EDITION = EDITIONS.in_force(2026)
PGRS = st.lists(st.integers(0, 3_000_000), min_size=1, max_size=20)


def places(ranking) -> list[tuple[int, int, str]]:
    return [(p.rank, p.row.player, p.decided_by) for p in ranking]


@pytest.mark.parametrize(
    ("pgrs", "overall"),
    [
        ([1_210_013, 1_067_235, 1_115_752], 1131),  # a mean in floats says 1130
        ([1_000_000], 1000),
        ([999_999], 999),
        ([1_000_000, 1_000_001], 1000),
    ],
)
def test_pgm_24_mean_rounded_down_to_the_unit(pgrs, overall):
    assert overall_pgr(pgrs) == overall


@given(PGRS)
def test_pgm_24_is_the_floor_of_the_exact_mean(pgrs):
    assert overall_pgr(pgrs) == floor(Decimal(sum(pgrs)) / (1000 * len(pgrs)))


def test_pgm_29_players_with_ten_active_pgrs_stand_before_the_others():
    rows = overall_standings(
        [Active(1, (2_000_000,) * 9, 50), Active(2, (900_000,) * 10, 10)], EDITION
    )
    assert places(rank_red(rows)) == [(1, 2, ""), (2, 1, "tier")]


def test_pgm_30_ties_go_to_more_active_pgrs_then_to_more_games_then_are_shared():
    rows = overall_standings(
        [
            Active(1, (1_000_000,) * 2, 9),
            Active(2, (1_000_000,) * 3, 1),
            Active(3, (1_000_000,) * 3, 5),
            Active(4, (1_000_000,) * 2, 9),
            Active(5, (1_000_400,), 1),
        ],
        EDITION,
    )
    assert places(rank_red(rows)) == [
        (1, 3, ""),
        (2, 2, "games"),
        (3, 1, "active_pgrs"),
        (3, 4, ""),
        (5, 5, "active_pgrs"),
    ]


def test_pgm_23_player_without_an_active_pgr_is_out():
    assert overall_standings([Active(1, (), 0)], EDITION) == []


def test_pgm_32_33_blue_is_the_exact_sum_with_the_same_ties():
    rows = overall_standings(
        [
            Active(1, (1_000_000, 1_000_000), 3),
            Active(2, (2_000_000,), 9),
            Active(3, (2_000_001,), 1),
            Active(4, (1_000_000, 1_000_000), 4),
        ],
        EDITION,
    )
    assert places(rank_blue(rows)) == [
        (1, 3, ""),
        (2, 4, "sum"),
        (3, 1, "games"),
        (4, 2, "active_pgrs"),
    ]
