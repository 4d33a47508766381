"""Race points and totals."""

from decimal import ROUND_FLOOR, Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from race.rules import (
    EDITIONS,
    StageScore,
    is_race_held,
    most_possible,
    race_points,
    race_ranking,
    season_total,
    stage_points,
)

EDITION = EDITIONS.in_force(2026)


@pytest.mark.parametrize(
    ("players", "position", "points"),
    [
        (6, 1, 43),
        (6, 2, 27),
        (6, 3, 21),
        (6, 4, 18),
        (6, 6, 15),
        (64, 1, 100),
        (1, 1, 0),
        (2, 1, 16),
        (3, 1, 26),
        (12, 1, 59),
        (64, 64, 16),
        (49, 14, 24),
    ],
)
def test_pgm_39_worked_numbers(players, position, points):
    assert race_points(players=players, position=position, edition=EDITION) == points


def test_pgm_39_every_pair_up_to_sixty_four_is_far_from_an_integer_and_rounded_down():
    nearest = []
    with localcontext() as context:
        context.prec = 60
        for n in range(2, 65):
            for p in range(1, n + 1):
                exact = Decimal("16.70") * Decimal(n).ln() / Decimal(p + 1).ln()
                assert race_points(players=n, position=p, edition=EDITION) == int(
                    exact.to_integral(ROUND_FLOOR)
                )
                nearest.append((abs(exact - exact.to_integral()), n, p))
    assert min(nearest)[1:] == (49, 14)


def test_pgm_39_printed_example():
    scores = [StageScore(player, half) for player, half in enumerate([10, 7, 5, 4, 4, 0], 1)]
    assert [(r.player, r.position, r.points) for r in stage_points(scores, EDITION)] == [
        (1, 1, 43),
        (2, 2, 27),
        (3, 3, 21),
        (4, 4, 18),
        (5, 4, 18),
        (6, 6, 15),
    ]


@pytest.mark.parametrize(
    ("results", "gross", "net"),
    [
        ([43, 27, 21, 18, 15], 124, 66),
        ([43], 43, 0),
        ([43, 27], 70, 0),
        ([], 0, 0),
        ([43, 43, 43], 129, 43),
        ([100] * 12, 1200, 1000),
    ],
)
def test_pgm_40_total_without_the_best_and_the_worst(results, gross, net):
    found = season_total(1, results, stages=12)
    assert (found.gross, found.net) == (gross, net)


def test_pgm_40_other_reading_takes_absences_for_zeros():
    assert season_total(1, [43, 27, 21], stages=12, drops="absences_are_zero").net == 48


@given(st.lists(st.integers(0, 100), max_size=12))
def test_pgm_40_net_never_exceeds_gross_and_never_falls_below_zero(results):
    found = season_total(1, results, stages=12)
    assert 0 <= found.net <= found.gross


def test_pgm_40_ranks_by_gross_while_it_runs_and_by_net_when_it_is_over():
    totals = [season_total(1, [100, 0, 0], stages=12), season_total(2, [30, 30, 30], stages=12)]
    assert [p.row.player for p in race_ranking(totals, is_over=False)] == [1, 2]
    assert [p.row.player for p in race_ranking(totals, is_over=True)] == [2, 1]


def test_pgm_40_what_can_still_be_reached():
    assert most_possible([43, 27], stages_left=2, drops="results", edition=EDITION) == 143


def test_pgm_40_other_reading_drops_only_with_twelve_and_the_twelfth_may_cost():
    eleven = [30] * 10 + [0]
    assert season_total(1, eleven, stages=12, drops="only_with_twelve").net == 300
    assert season_total(1, [*eleven, 10], stages=12, drops="only_with_twelve").net == 280
    assert most_possible(eleven, stages_left=1, drops="only_with_twelve", edition=EDITION) == 300


@pytest.mark.parametrize(("year", "held"), [(2025, False), (2026, True), (2027, True)])
def test_pgm_38_the_race_began_in_2026(year, held):
    assert is_race_held(year) is held
