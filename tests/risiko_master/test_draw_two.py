"""The second draw: four criteria, each before the next."""

from random import Random

import pytest

from risiko_master.rules.draw_facts import FirstGame, table_sizes
from risiko_master.rules.draws import first_draw, second_draw
from tests.risiko_master import fields
from tests.risiko_master.every_draw import least_of_second


def after_the_first(groups, seed):
    before = fields.played(Random(seed), first_draw(groups, seed))
    return second_draw(groups, before, seed), before


def test_rkm_draw_2_nobody_sits_at_a_five_twice_while_somebody_never_did():
    draw, before = after_the_first(fields.of_clubs(9, 9, 9, 8), "s")
    sat = {p for table in before.tables if len(table) == 5 for p in table}
    assert not sat & {p for table in draw.tables if len(table) == 5 for p in table}
    assert fields.measured(draw) == [
        ("repeat", 0, 0),
        ("winners", 0, 0),
        ("group", 3, 3),
        ("met", 0, 0),
    ]


@pytest.mark.parametrize(
    ("players", "repeats"), [(13, 0), (14, 6), (15, 15), (10, 10), (18, 2), (19, 11), (23, 7)]
)
def test_rkm_draw_2_repeats_at_fives_are_those_that_nobody_can_avoid(players, repeats):
    draw, _ = after_the_first(fields.of_clubs(alone=players), "s")
    assert fields.measured(draw)[0] == ("repeat", repeats, repeats)


def test_rkm_draw_2_winners_meet_only_when_there_are_more_of_them_than_tables():
    groups = fields.of_clubs(alone=16)
    before = fields.played(Random(1), first_draw(groups, "s"))
    draw = second_draw(groups, before, "s")
    assert draw.measures[1].cost == 0
    losers = [p for p in groups if p not in before.winners]
    fewer = {p: groups[p] for p in groups if p not in losers[:4]}
    assert fields.measured(second_draw(fewer, before, "s"))[1] == ("winners", 1, 1)


def test_rkm_draw_2_a_winner_goes_before_a_club_and_a_club_before_who_has_met():
    """Two tables, two winners of one club of three: they are apart, and their club mate sits with
    one of them."""
    groups = {f"p{n}": frozenset({1} if n in {0, 4, 5} else set()) for n in range(8)}
    before = FirstGame(
        (("p0", "p1", "p2", "p3"), ("p4", "p5", "p6", "p7")), frozenset({"p0", "p4"})
    )
    draw = second_draw(groups, before, "s")
    at = {player: number for number, table in enumerate(draw.tables) for player in table}
    assert (at["p0"] != at["p4"], fields.costs(draw), draw.proof) == (True, (0, 0, 1, 4), "bound")


def test_rkm_draw_2_who_came_for_the_second_game_has_met_nobody():
    groups = fields.of_clubs(alone=12)
    before = fields.played(Random(3), first_draw(groups, "s"))
    draw = second_draw(fields.of_clubs(alone=16), before, "s")
    assert (fields.costs(draw), draw.proof) == ((0, 0, 0, 0), "bound")


@pytest.mark.parametrize("number", range(12))
def test_rkm_draw_2_small_fields_equal_the_best_of_all_seatings(number):
    chance = Random(number)
    groups = fields.by_chance(chance, 8, 13)
    before = fields.played(chance, first_draw(groups, str(number)))
    here = fields.still_there(chance, groups)
    draw = second_draw(here, before, str(number))
    assert fields.costs(draw) == least_of_second(here, before, table_sizes(len(here)))
    assert draw.proof in {"bound", "search"}


@pytest.mark.parametrize("players", [14, 15, 16, 17, 18])
def test_rkm_draw_2_fields_of_the_middle_are_proven(players):
    proofs = [
        after_the_first(fields.of_clubs(5, 4, alone=players - 9), f"{n}")[0].proof for n in range(4)
    ]
    assert "open" not in proofs
