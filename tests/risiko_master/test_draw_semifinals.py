"""Semifinals: bands, clubs, parallel rankings."""

import re
from itertools import permutations, product
from random import Random

import pytest

from risiko_master.rules.draws import semifinal_draw
from tests.risiko_master import fields


def ranked(chance, size, clubs):
    names = [f"p{place:02}" for place in range(1, size + 1)]
    return names, {name: frozenset({chance.randrange(clubs)}) for name in names}


@pytest.mark.parametrize(
    "sizes", [(), (2, 2, 2), (2, 2, 2, 3), (5, 5, 5, 5), (0, 0, 0, 0), (2, 2, 2, 2, 2)]
)
def test_rkm_draw_semifinals_four_equal_bands_or_none(sizes):
    names = iter("abcdefghijklmnopqrstuvwxyz")
    with pytest.raises(ValueError, match=re.escape(str(list(sizes)))):
        semifinal_draw([[[next(names) for _ in range(size)] for size in sizes]], {}, "s")


@pytest.mark.parametrize("size", [4, 8, 12, 16])
def test_rkm_draw_semifinals_one_of_each_band_at_each_table(size):
    names, groups = ranked(Random(size), size, 3)
    tables = semifinal_draw([fields.bands(names)], groups, "s").tables
    wide = size // 4
    assert [[names.index(p) // wide for p in table] for table in tables] == [[0, 1, 2, 3]] * wide
    assert sorted(p for table in tables for p in table) == names


@pytest.mark.parametrize("number", range(8))
def test_rkm_draw_semifinals_clubs_meet_as_little_as_in_the_best_of_all_draws(number):
    chance = Random(number)
    names, groups = ranked(chance, chance.choice([8, 12]), chance.choice([2, 3, 5]))
    draw = semifinal_draw([fields.bands(names)], groups, "s")
    bands = fields.bands(names)
    least = min(
        sum(
            groups[a] == groups[b]
            for table in zip(bands[0], *others, strict=True)
            for place, a in enumerate(table)
            for b in table[place + 1 :]
        )
        for others in product(*(permutations(band) for band in bands[1:]))
    )
    assert (fields.measured(draw), draw.proof) == ([("group", least, least)], "search")


def test_rkm_draw_semifinals_the_band_goes_before_the_club():
    names = [f"p{place}" for place in range(8)]
    groups = {name: frozenset({place % 2}) for place, name in enumerate(names)}
    draw = semifinal_draw([fields.bands(names)], groups, "s")
    assert (draw.measures[0].cost, [len(table) for table in draw.tables]) == (4, [4, 4])


def test_rkm_draw_semifinals_parallel_rankings_never_mix():
    rankings = [[f"{letter}{n:02}" for n in range(16)] for letter in "abc"]
    groups = {p: frozenset({int(p[1:]) % 5}) for ranking in rankings for p in ranking}
    draw = semifinal_draw([fields.bands(ranking) for ranking in rankings], groups, "s")
    assert [{p[0] for p in table} for table in draw.tables] == [{"a"}] * 4 + [{"b"}] * 4 + [
        {"c"}
    ] * 4


def test_rkm_draw_semifinals_every_cheapest_draw_is_as_likely():
    """Eight players without clubs have 8 draws: 800 seeds give each about 100, within six standard
    deviations."""
    names = [f"p{place}" for place in range(8)]
    groups = {name: frozenset() for name in names}
    drawn = [semifinal_draw([fields.bands(names)], groups, f"seed {n}").tables for n in range(800)]
    assert len(set(drawn)) == 8
    assert all(40 < drawn.count(one) < 160 for one in set(drawn))
