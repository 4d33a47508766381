"""The final order: phases of elimination, and what stood before them."""

from big_league.rules.elimination import final_order
from big_league.rules.standings import order_standings, players_of_rounds
from tests.big_league.rounds import EDITION, part, rounds, table


def order(of):
    lots = {player: player for player in players_of_rounds(of)}
    return [(p.row.player, p.decided_by) for p in final_order(of, lots, EDITION)]


SWISS = [table(p1=9, p2=8, p3=7, p4=1), table(p5=7, p6=6, p7=5, p8=4)]
AGAIN = [table(p1=9, p5=8, p2=7, p6=1), table(p3=7, p7=6, p4=5, p8=4)]


def test_big_7_2_1_without_final_phases_it_is_the_ranking_of_the_rounds():
    of = rounds(SWISS, AGAIN)
    lots = {player: player for player in range(1, 9)}
    assert order(of) == [(p.row.player, p.decided_by) for p in order_standings(of, lots, EDITION)]
    assert order(of)[:3] == [(1, ""), (5, "points"), (3, "points")]


def test_big_7_2_1_the_final_decides_its_places_and_the_rest_stays_as_it_was():
    of = rounds(SWISS, AGAIN, [table(p1=1, p5=2, p3=3, p2=4)], phases={3: "final"})
    before = [player for player, _why in order(rounds(SWISS, AGAIN))]
    assert order(of)[:4] == [(2, ""), (3, "final"), (5, "final"), (1, "final")]
    assert [player for player, _why in order(of)[4:]] == [
        p for p in before if p not in {1, 2, 3, 5}
    ]
    assert order(of)[4][1] == "phase"


def test_big_7_2_1_a_draw_in_the_final_falls_back_on_the_ranking_before_it():
    of = rounds(SWISS, AGAIN, [table(p3=5, p5=5, p1=5, p2=4)], phases={3: "final"})
    assert order(of)[:4] == [(1, ""), (5, "points"), (3, "points"), (2, "final")]


def test_big_7_2_1_who_reached_a_later_phase_stands_first_whatever_the_ranking_said():
    semifinals = [table(p1=1, p6=9), table(p5=9, p3=1)]
    of = rounds(SWISS, AGAIN, semifinals, [table(p6=9, p5=1)], phases={3: "semifinal", 4: "final"})
    assert order(of)[:4] == [(6, ""), (5, "final"), (1, "phase"), (3, "points")]


def test_big_7_2_1_places_in_a_semifinal_part_nobody():
    """Below the final: phase, then the ranking of the qualification (BIG-19)."""
    semifinals = [table(p1=1, p2=2, p3=3, p4=9), table(p5=1, p6=2, p7=3, p8=9)]
    of = rounds(SWISS, AGAIN, semifinals, [table(p4=9, p8=1)], phases={3: "semifinal", 4: "final"})
    before = [player for player, _why in order(rounds(SWISS, AGAIN))]
    assert [player for player, _why in order(of)] == [4, 8, *(p for p in before if p not in {4, 8})]


def test_big_7_2_1_points_are_those_of_all_rounds():
    of = rounds(SWISS, AGAIN, [table(p1=1, p5=2)], phases={3: "final"})
    lots = {player: player for player in range(1, 9)}
    assert {p.row.player: p.row.points for p in final_order(of, lots, EDITION)}[
        5
    ] == 1000 + 611 + 1000


def test_big_7_2_1_where_every_round_is_a_final_phase_lots_come_before_nothing():
    of = rounds(
        [table(p1=3, p2=1), table(p3=3, p4=1)],
        [[part(3, 5), part(1, 4)]],
        phases={1: "semifinal", 2: "final"},
    )
    assert order(of) == [(3, ""), (1, "final"), (2, "phase"), (4, "lots")]
