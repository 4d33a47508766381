"""The final ranking: one final or several, shared places, everybody else by points."""

from hypothesis import given
from hypothesis import strategies as st

from risiko_master.rules.rankings import Finish, Record, final_ranking


def finalist(player: int, arrived: int, *games: int) -> Finish:
    return Finish(Record(player, games or (50, 50), 1), arrived)


def other(player: int, *games: int | None, before: int = 99) -> Finish:
    return Finish(Record(player, games, before))


def ranked(*finishes: Finish) -> list[tuple[int, int, bool, str]]:
    return [(p.rank, p.row.player, p.is_shared, p.decided_by) for p in final_ranking(finishes)]


def test_rkm_final_ranking_first_four_are_those_of_the_final_whatever_their_points():
    found = ranked(
        finalist(1, 4, 1100, 1100),
        finalist(2, 1, 10, 10),
        finalist(3, 2),
        finalist(4, 3),
        other(5, 1000, 900),
    )
    assert found == [
        (1, 2, False, ""),
        (2, 3, False, "final"),
        (3, 4, False, "final"),
        (4, 1, False, "final"),
        (5, 5, False, "final"),
    ]


def test_rkm_final_ranking_of_two_finals_shares_each_place_and_skips_the_next():
    found = ranked(
        *(finalist(10 * final + place, place) for final in (1, 2) for place in (1, 2, 3, 4)),
        other(5, 1, 1),
    )
    assert [(rank, is_shared) for rank, _p, is_shared, _why in found] == [
        (1, True),
        (1, True),
        (3, True),
        (3, True),
        (5, True),
        (5, True),
        (7, True),
        (7, True),
        (9, False),
    ]


def test_rkm_final_ranking_behind_the_finals_adds_the_semifinal_that_was_lost():
    assert [
        row[1]
        for row in ranked(other(1, 1040, 40, None), other(2, 600, 400, 81), other(3, 1040, 40, 30))
    ] == [
        3,
        2,
        1,
    ]


def test_rkm_final_ranking_breaks_ties_like_the_ranking_before_it():
    found = ranked(
        other(1, 40, 1050, None, before=7),
        other(2, 1050, 40, None, before=6),
        other(3, 1049, 41, None),
    )
    assert found == [(1, 2, False, ""), (2, 1, False, "round_before"), (3, 3, False, "best")]


def test_rkm_final_ranking_draws_no_lots_what_is_equal_stays_shared():
    found = ranked(
        other(1, 30, 30, None, before=20), other(2, 30, 30, None, before=20), other(3, 1, 1, None)
    )
    assert found == [(1, 1, True, ""), (1, 2, True, ""), (3, 3, False, "points")]


def test_rkm_final_ranking_ranks_who_played_one_game_on_that_game():
    assert [row[1] for row in ranked(other(1, 1045, None, None), other(2, 40, 41, None))] == [1, 2]


GAMES = st.tuples(st.integers(0, 3), st.integers(0, 3), st.one_of(st.none(), st.integers(0, 2)))


@given(st.lists(GAMES, max_size=10), st.integers(0, 4), st.integers(1, 3))
def test_rkm_final_ranking_places_are_one_more_than_those_before(games, arrived, finals):
    finishes = [
        finalist(100 * final + place, place)
        for final in range(finals)
        for place in range(1, arrived + 1)
    ]
    finishes += [other(number, *own, before=5) for number, own in enumerate(games, 1)]
    placed = final_ranking(finishes)
    for own in placed:
        ahead = sum(1 for one in placed if one.rank < own.rank)
        assert own.rank == 1 + ahead
        if own.row.arrived is not None:
            assert own.rank == 1 + finals * (own.row.arrived - 1)
