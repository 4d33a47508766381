"""The Elo of tables of many, which is ours."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from big_league.rules.elo import mean_elo, rate_tournament, rated_tables
from big_league.rules.table import place_table
from ratings.rules import new_rating
from tests.big_league.rounds import EDITION, part, rounds, table

START = 1_000_000


def tables(*of: list) -> list:
    return [place_table(parts, EDITION) for parts in of]


def after(*of: list, k: int = 20, **held: int) -> dict[int, int]:
    ratings = {int(name[1:]): own for name, own in held.items()}
    return {c.player: c.after for c in rate_tournament(tables(*of), ratings, start=START, k=k)}


@pytest.mark.parametrize(
    ("own", "other"), [(1_000_000, 1_000_000), (1_070_000, 960_000), (960_000, 1_070_000)]
)
def test_big_5_between_two_it_is_the_rating_that_everybody_knows(own, other):
    assert after(table(p1=5, p2=3), p1=own, p2=other) == {
        1: new_rating(own, [other], 2, 20),
        2: new_rating(other, [own], 0, 20),
    }


def test_big_5_k_is_shared_out_among_the_opponents():
    assert after(table(p1=9, p2=7, p3=5)) == {1: 1_010_000, 2: 1_000_000, 3: 990_000}
    assert after(table(p1=9, p2=7, p3=5, p4=1)) == {
        1: 1_010_000,
        2: 1_003_333,
        3: 996_667,
        4: 990_000,
    }


def test_big_5_a_shared_place_is_half_a_win():
    assert after(table(p1=9, p2=9, p3=5)) == {1: 1_005_000, 2: 1_005_000, 3: 990_000}


def test_big_5_all_tables_of_a_tournament_count_at_once():
    assert after(table(p1=9, p2=7), table(p1=9, p2=7)) == {1: 1_020_000, 2: 980_000}


def test_big_5_it_is_rounded_once_and_halves_go_up():
    one = table(p1=9, p2=7, p3=5, p4=1)
    assert after(one, one, one)[2] == 1_010_000
    assert after(table(p1=9, p2=7, p3=5, p4=1), k=1)[2] == 1_000_167


def test_big_5_absent_players_and_byes_are_not_rated():
    of = rounds(
        [[part(1, outcome="win", kind="walkover"), part(2, outcome="loss", kind="no_show")]],
        [[part(3, outcome="win", kind="bye")]],
        [table(p1=5, p3=3)],
    )
    assert [[one.player for one in own] for own in rated_tables(of, EDITION)] == [[1, 3]]


def test_big_5_3_the_mean_is_of_everybody_and_exact():
    assert mean_elo([1_000_000, 1_000_000, 1_000_001]) == Fraction(3_000_001, 3000)


PLAYED = st.lists(st.integers(0, 5), min_size=2, max_size=7)


@given(PLAYED, st.lists(st.integers(600_000, 1_800_000), min_size=7, max_size=7))
def test_big_5_what_one_gains_others_lose(scores, held):
    parts = [part(number, Decimal(score)) for number, score in enumerate(scores)]
    ratings = dict(enumerate(held))
    found = rate_tournament(tables(parts), ratings, start=START, k=20)
    assert abs(sum(one.after - one.before for one in found)) <= len(found)
    assert all(one.games == 1 for one in found)


@given(st.permutations(range(5)))
def test_big_5_the_order_of_the_tables_means_nothing(order):
    of = [
        table(p1=3, p2=2, p3=1),
        table(p2=3, p3=2),
        table(p1=3, p4=2, p3=2, p2=0),
        table(p4=9, p5=1),
        table(p5=2, p1=1),
    ]
    assert after(*[of[n] for n in order], p1=1_234_567) == after(*of, p1=1_234_567)
