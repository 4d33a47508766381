"""The share of the points at the table, and the chain that parts equal players."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from big_league.rules.standings import order_standings, players_of_rounds, points_shares
from tests.big_league.rounds import EDITION, part, rounds, table


def shares(*nets: object, seats: int = 0) -> list[Fraction]:
    return points_shares(
        [Decimal(str(net)) for net in nets], seats=seats or len(nets), edition=EDITION
    )


def order(of, **lots):
    there = players_of_rounds(of)
    found = order_standings(of, {p: lots.get(f"p{p}", p) for p in there}, EDITION)
    return [(p.row.player, p.decided_by) for p in found]


def test_big_4_2_the_printed_share():
    assert shares(82, 60, 43)[0] == Fraction(82, 185)
    assert round(Decimal(82) / 185, 4) == Decimal("0.4432")


def test_big_4_2_a_ghost_scores_nine_tenths_of_the_mean():
    assert shares(82, 60, 43, seats=4)[0] == Fraction(82) / (185 + Fraction("55.5"))
    assert f"{float(shares(82, 60, 43, seats=4)[0]):.4f}" == "0.3410"


def test_big_4_2_one_ghost_for_each_empty_seat_and_the_mean_is_of_real_players():
    assert shares(10, 20, seats=4) == [Fraction(10, 57), Fraction(20, 57)]


@pytest.mark.parametrize("nets", [(0, 0, 0), (-5, 2, 1), (-1, -1, -1)])
def test_big_4_2_where_there_is_nothing_to_share_everybody_has_the_same(nets):
    assert shares(*nets, seats=4) == [Fraction(1, 4)] * 3


def test_big_4_2_a_negative_score_has_a_negative_share():
    assert shares(-2, 6, 6) == [Fraction(-1, 5), Fraction(3, 5), Fraction(3, 5)]


@given(st.lists(st.integers(1, 99), min_size=2, max_size=7), st.integers(0, 3))
def test_big_4_2_shares_and_ghosts_make_a_whole(nets, ghosts):
    found = shares(*nets, seats=len(nets) + ghosts)
    assert sum(found) + ghosts * Fraction(9, 10) * sum(found) / len(nets) == 1


def test_big_4_2_after_one_round_the_share_decides():
    of = rounds([table(p1=50, p2=40, p3=30), table(p4=50, p5=45, p6=5)])
    assert order(of) == [(4, ""), (1, "pbg"), (5, "points"), (2, "pbg"), (3, "points"), (6, "pbg")]


def test_big_4_2_bids_are_taken_off_before_the_share():
    one = [part(1, 60, bid=Decimal(20)), part(2, 30), part(3, 20)]
    of = rounds([one, table(p4=50, p5=40, p6=20)])
    assert [player for player, _why in order(of)[:2]] == [4, 1]


def test_big_4_2_ghosts_fill_up_to_the_largest_table_of_the_round():
    of = rounds([table(p1=40, p2=30, p3=20, p4=10), table(p5=40, p6=30, p7=20)])
    assert [
        p.row.seats[1].pbg
        for p in order_standings(of, dict.fromkeys(range(1, 8), 0), EDITION)
        if p.row.player in {1, 5}
    ] == [
        Fraction(2, 5),
        Fraction(40, 117),
    ]


def test_big_4_2_equal_in_everything_is_parted_by_lots():
    of = rounds([table(p1=50, p2=40, p3=30), table(p4=50, p5=40, p6=30)])
    assert order(of)[:2] == [(1, ""), (4, "lots")]
    assert order(of, p1=9)[:2] == [(4, ""), (1, "lots")]


def test_big_4_2_equal_points_from_other_places_are_equal():
    """Tables of six: 3, 5, 5, 5 and 4, 4, 4, 6 give 1442 both (BIG-2)."""
    tables = []
    for number, (one, two) in enumerate(zip((3, 5, 5, 5), (4, 4, 4, 6), strict=True)):
        others = [10 * number + n for n in range(3, 13)]
        first, second = others[:5], others[5:]
        first.insert(one - 1, 1)
        second.insert(two - 1, 2)
        tables.append([[part(p, -place) for place, p in enumerate(own)] for own in (first, second)])
    of = rounds(*tables)
    found = order_standings(of, {p: p for p in players_of_rounds(of)}, EDITION)
    own = {p.row.player: p for p in found if p.row.player in {1, 2}}
    assert own[1].row.points == own[2].row.points == 1442
    assert own[2].rank == own[1].rank + 1
    assert own[2].decided_by == "table:4"


def test_big_4_2_of_two_at_one_table_the_better_place_decides():
    of = rounds(
        [table(p1=5, p2=3), table(p3=5, p4=3)],
        [table(p2=5, p1=3), table(p3=5, p4=3)],
    )
    assert order(of) == [(3, ""), (2, "points"), (1, "place:2"), (4, "points")]


def test_big_4_2_back_to_the_round_before_where_the_last_one_was_shared():
    of = rounds(
        [table(p5=9, p6=1), table(p7=9, p8=1)],
        [table(p1=5, p5=3), table(p2=5, p6=3)],
        [table(p1=4, p2=4), table(p5=3, p6=2)],
    )
    assert order(of)[1:3] == [(1, "points"), (2, "table:2")]


def test_big_4_2_the_number_of_a_drawn_table_means_nothing():
    of = rounds([table(p1=50, p2=25), table(p3=60, p4=20)])
    assert [player for player, _why in order(of)] == [3, 1, 2, 4]


def test_big_5_1_who_never_played_is_nobody():
    of = rounds(
        [table(p1=5, p2=3), [part(3, outcome="win", kind="bye")]],
        [[part(4, kind="no_show"), part(1, 3)]],
    )
    assert players_of_rounds(of) == {1, 2}


def test_big_4_2_somebody_back_later_is_not_lost():
    of = rounds([table(p1=5, p2=3)], [table(p3=5, p1=3)])
    assert order(of) == [(1, ""), (3, "points"), (2, "points")]


@given(st.data())
def test_big_4_2_everybody_has_a_place_of_his_own(data):
    field = list(range(1, data.draw(st.integers(6, 12)) + 1))
    of_rounds = []
    for _round in range(data.draw(st.integers(1, 3))):
        seated = data.draw(st.permutations(field))
        of_rounds.append(
            [
                [part(p, data.draw(st.integers(0, 2))) for p in seated[at : at + 4]]
                for at in range(0, len(seated), 4)
            ]
        )
    found = order_standings(rounds(*of_rounds), {p: p for p in field}, EDITION)
    assert [p.rank for p in found] == [*range(1, len(field) + 1)]
    assert [p.row.points for p in found] == sorted((p.row.points for p in found), reverse=True)
    assert not any(p.is_shared for p in found)
