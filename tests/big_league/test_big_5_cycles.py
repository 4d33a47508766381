"""Which results count, and the new start at a national final."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from big_league.rules.league import (
    LeagueEvent,
    best_results,
    current_cycle,
    game_totals,
    general_totals,
    points_ranking,
)
from tests.big_league.rounds import EDITION


def event(slug: str, *, game: str = "catan", final: bool = False, **points: int) -> LeagueEvent:
    return LeagueEvent(
        slug, game, final, {int(name[1:]): Fraction(own) for name, own in points.items()}
    )


def totals(found):
    return {total.player: (total.points, total.counted) for total in found}


def test_big_7_a_final_is_the_first_event_of_the_new_cycle():
    events = [event("a"), event("b", final=True), event("c"), event("d", final=True), event("e")]
    assert [one.slug for one in current_cycle(events)] == ["d", "e"]
    assert [one.slug for one in current_cycle(events[:3])] == ["b", "c"]


def test_big_7_without_a_final_everything_counts():
    assert [one.slug for one in current_cycle([event("a"), event("b")])] == ["a", "b"]


def test_big_5_the_best_five_of_a_game_count():
    events = [
        event(slug, p1=points)
        for slug, points in zip("abcdefg", (5, 1, 7, 3, 9, 2, 8), strict=True)
    ]
    assert totals(game_totals(events, EDITION)) == {1: (32, ("e", "g", "c", "a", "d"))}


def test_big_5_of_equal_results_the_earlier_one_counts():
    assert best_results({"late": Fraction(3), "early": Fraction(3), "last": Fraction(3)}, 2) == (
        "late",
        "early",
    )


def test_big_5_the_general_ranking_takes_three_of_each_game():
    catan = [event(slug, p1=points) for slug, points in zip("abcd", (4, 1, 2, 3), strict=True)]
    azul = [event("x", game="azul", p1=10, p2=50)]
    assert totals(general_totals([catan, azul], EDITION)) == {
        1: (19, ("a", "d", "c", "x")),
        2: (50, ("x",)),
    }


def test_big_5_equal_sums_share_a_place():
    found = points_ranking(game_totals([event("a", p1=5, p2=7, p3=5, p4=1)], EDITION))
    assert [(p.rank, p.row.player, p.is_shared) for p in found] == [
        (1, 2, False),
        (2, 1, True),
        (2, 3, True),
        (4, 4, False),
    ]


def test_big_5_thirds_are_added_exactly():
    events = [
        LeagueEvent(
            slug,
            "catan",
            False,
            {1: Fraction(1, 3), 2: Fraction(1) if slug == "a" else Fraction(0)},
        )
        for slug in "abc"
    ]
    assert [p.rank for p in points_ranking(game_totals(events, EDITION))] == [1, 1]


@given(st.lists(st.integers(0, 2000), min_size=1, max_size=9))
def test_big_5_no_other_five_are_worth_more(points):
    found = game_totals([event(f"e{n}", p1=own) for n, own in enumerate(points)], EDITION)
    assert found[0].points == sum(sorted(points)[-5:])
    assert len(found[0].counted) == min(5, len(points))
