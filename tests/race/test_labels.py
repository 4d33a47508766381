"""The Race in words: the digits before the points are rounded down, and which results are left
out."""

from decimal import Decimal

import pytest

from pergioco.publishing.models import Line
from race import labels, rules
from race import rules as race_rules
from race.rules import race_points, race_ranking, season_total

EDITION = rules.EDITIONS.in_force(2026)


@pytest.mark.parametrize("players", [1, 2, 9, 49, 64])
def test_pgm_39_rounded_down_it_is_what_the_rule_gives(players):
    for position in range(1, players + 1):
        exact = race_rules.unrounded_points(players=players, position=position, edition=EDITION)
        assert int(exact) == race_points(players=players, position=position, edition=EDITION)


@pytest.mark.parametrize(
    ("players", "position", "shown"),
    [(9, 2, "33.4"), (49, 14, "24.00007"), (6, 1, "43.1688"), (1, 1, "0")],
)
def test_pgm_39_the_digits_before_it_is_rounded_down(players, position, shown):
    exact = race_rules.unrounded_points(players=players, position=position, edition=EDITION)

    assert str(Decimal(exact))[: len(shown)] == shown


def test_a_logarithm_that_comes_out_even_shows_no_noise():
    assert race_rules.unrounded_points(players=9, position=2, edition=EDITION) == Decimal("33.4")


def test_pgm_40_the_most_of_a_stage_is_the_first_of_a_full_one():
    assert race_rules.most_points_of_stage(EDITION) == 100


@pytest.mark.parametrize(
    ("results", "dropped", "stages"),
    [
        ({"a": 43, "b": 27, "c": 21, "d": 15}, [43, 15], {"a", "d"}),
        ({"a": 27, "b": 27, "c": 27}, [27, 27], {"a", "c"}),
        ({"b": 43, "a": 43, "c": 27}, [43, 27], {"a", "c"}),
        ({"a": 43, "b": 27}, [43, 27], {"a", "b"}),
        ({"a": 43}, [43], {"a"}),
        ({"a": 43, "b": 27, "c": 21}, [43, 0], {"a"}),
        ({"a": 43, "b": 27}, [], set()),
    ],
)
def test_pgm_40_which_stages_are_left_out(results, dropped, stages):
    assert labels.dropped_stages(Line(detail={"results": results, "dropped": dropped})) == stages


@pytest.mark.parametrize("is_over", [True, False])
def test_what_decides_the_race_has_words(is_over):
    totals = [season_total(1, [43, 27, 21], stages=12), season_total(2, [27, 21, 18], stages=12)]
    codes = {placed.decided_by for placed in race_ranking(totals, is_over=is_over)} - {""}

    assert len(codes) == 1
    assert codes <= set(labels.CRITERIA)
    assert labels.CRITERIA[codes.pop()].amount(Line(value=Decimal("66.000"))) == "66"
