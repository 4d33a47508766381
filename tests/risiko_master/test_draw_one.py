"""The first draw."""

from itertools import permutations
from random import Random

import pytest

from pergioco.rulekit.ordering import seeded_order
from risiko_master.rules.draw_facts import Measure
from risiko_master.rules.draws import first_draw
from tests.risiko_master import fields
from tests.risiko_master.every_draw import pairs_of, seatings


def same_group(groups):
    return lambda a, b: groups[a] & groups[b]


def test_rkm_draw_1_fifth_players_are_pure_chance_and_sit_at_the_last_tables():
    groups = fields.of_clubs(9, 9, 9, 8)
    for seed in "abcdefgh":
        draw = first_draw(groups, seed)
        players = sorted(groups)
        lots = [players[one] for one in seeded_order(seed, dict(enumerate(players)))]
        assert draw.fifths == tuple(lots[:3])
        assert [len(table) for table in draw.tables] == [4] * 5 + [5] * 3
        assert {table[-1] for table in draw.tables[5:]} == set(draw.fifths)


def test_rkm_draw_1_a_club_as_large_as_the_tables_meets_nobody_of_its_own():
    draw = first_draw(fields.of_clubs(10, 10, 10, 10), "s")
    assert (fields.measured(draw), draw.proof) == (
        [("group", 0, 0), ("group_of_fifths", 0, 0)],
        "bound",
    )


def test_rkm_draw_1_a_club_larger_than_the_tables_meets_itself_as_little_as_it_can():
    draw = first_draw(fields.of_clubs(7, alone=9), "s")
    assert fields.measured(draw)[0] == ("group", 3, 3)
    assert sorted(sum(p.startswith("a") for p in table) for table in draw.tables) == [1, 2, 2, 2]


def test_rkm_draw_1_clubs_of_the_fifths_count_for_nothing_while_the_others_are_spread():
    """The same others at the same tables, whatever the club of the fifth players."""
    groups = fields.of_clubs(6, 6, 6, alone=4)
    fifths = first_draw(groups, "s").fifths
    other = groups | {fifth: frozenset({1, 2, 3}) for fifth in fifths}
    without = [[p for p in table if p not in fifths] for table in first_draw(groups, "s").tables]
    assert [
        [p for p in table if p not in fifths] for table in first_draw(other, "s").tables
    ] == without


def test_rkm_draw_1_fifths_change_places_only_among_themselves_and_as_well_as_they_can():
    for seed in range(40):
        groups = fields.of_clubs(5, 5, 5, 5, 3)
        draw = first_draw(groups, f"s{seed}")
        fives = [table[:4] for table in draw.tables if len(table) == 5]
        best = min(
            sum(
                bool(groups[f] & groups[p])
                for f, five in zip(order, fives, strict=True)
                for p in five
            )
            for order in permutations(draw.fifths)
        )
        assert draw.measures[1] == Measure("group_of_fifths", best, best)


def test_rkm_draw_1_a_family_and_a_club_keep_apart_as_well():
    groups = {f"p{n}": frozenset({n // 2}) for n in range(8)} | {
        "p0": frozenset({0, 9}),
        "p7": frozenset({3, 9}),
    }
    tables = [set(table) for table in first_draw(groups, "s").tables]
    assert not any(
        table >= pair for table in tables for pair in ({"p0", "p1"}, {"p6", "p7"}, {"p0", "p7"})
    )


@pytest.mark.parametrize("number", range(30))
def test_rkm_draw_1_small_fields_equal_the_best_of_all_seatings(number):
    chance = Random(number)
    groups = fields.by_chance(chance, 8, 14)
    draw = first_draw(groups, str(number))
    others = sorted(set(groups) - set(draw.fifths))
    least = min(pairs_of(t, same_group(groups)) for t in seatings(others, [4] * len(draw.tables)))
    assert (draw.measures[0].cost, draw.proof) == (
        least,
        "bound" if least == draw.measures[0].bound else "search",
    )


def test_rkm_draw_1_everybody_is_as_likely_to_sit_fifth():
    """1,200 seeds, 13 players, one fifth: each about 92 times. Bounds of six standard
    deviations."""
    groups = fields.of_clubs(8, 3, alone=2)
    drawn = [first_draw(groups, f"seed {n}").fifths[0] for n in range(1200)]
    assert all(40 < drawn.count(player) < 148 for player in groups)
