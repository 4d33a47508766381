"""Bands, parallel rankings, who moves up, who stands in for whom."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from risiko_master.rules.editions import EDITIONS
from risiko_master.rules.playoffs import (
    Qualified,
    cut_bands,
    find_finalists,
    find_structure,
    parallel_rankings,
    semifinal_field,
    structure_after_renunciations,
)

EDITION = EDITIONS[-1]


def of(players: int, double_winners: int = 0):
    return find_structure(
        [Qualified(n, n, 2 if n <= double_winners else 0) for n in range(1, players + 1)], EDITION
    )


def order(players: int) -> range:
    return range(1, players + 1)


# parallel rankings and bands


def test_rkm_parallel_rankings_of_three_winners_are_every_third_place():
    assert parallel_rankings(range(1, 13), 3) == [(1, 4, 7, 10), (2, 5, 8, 11), (3, 6, 9, 12)]


def test_rkm_parallel_rankings_of_one_winner_are_the_ranking():
    assert parallel_rankings(range(1, 5), 1) == [(1, 2, 3, 4)]


def test_rkm_bands_of_three_semifinals_are_the_printed_ones():
    assert cut_bands(range(2, 14)) == ((2, 3, 4), (5, 6, 7), (8, 9, 10), (11, 12, 13))


def test_rkm_bands_of_two_semifinals_have_two_players_each():
    assert cut_bands(range(3, 11)) == ((3, 4), (5, 6), (7, 8), (9, 10))


@pytest.mark.parametrize(
    ("players", "double_winners", "direct", "groups", "tables"),
    [
        (38, 2, 2, 1, 2),
        (38, 1, 1, 1, 3),
        (38, 0, 0, 1, 4),
        (62, 3, 0, 1, 4),
        (110, 0, 0, 2, 4),
        (160, 0, 0, 3, 4),
        (210, 0, 0, 4, 4),
    ],
)
def test_rkm_bands_each_group_has_four_of_as_many_players_as_it_has_tables(
    players, double_winners, direct, groups, tables
):
    found = semifinal_field(of(players, double_winners), order(players), ())
    assert len(found.direct) == direct
    assert [[len(band) for band in group.bands] for group in found.groups] == [
        [tables] * 4
    ] * groups
    assert sorted(player for group in found.groups for player in group.players) == list(
        range(direct + 1, direct + groups * tables * 4 + 1)
    )


@pytest.mark.parametrize("winners", [2, 3, 4])
def test_rkm_parallel_rankings_are_taken_once_those_who_withdrew_are_out(winners):
    players = {2: 120, 3: 170, 4: 220}[winners]
    found = semifinal_field(of(players), order(players), {2, 5})
    there = [1, 3, 4, *range(6, 6 + winners * 16 - 3)]
    assert [group.players for group in found.groups] == [
        tuple(there[number::winners]) for number in range(winners)
    ]


# renouncing before the semifinals


@pytest.mark.parametrize("renounced", [{1}, {2}, {1, 2}, {1, 2, 5}])
def test_rkm_renounced_before_a_direct_finalist_makes_four_semifinals_with_the_other_one(renounced):
    found = structure_after_renunciations(of(38, 2), order(38), renounced)
    assert (found.direct, found.semifinals, found.case) == (0, 4, "direct_finalist_renounced")
    there = semifinal_field(found, order(38), renounced)
    assert there.direct == ()
    assert list(there.groups[0].players) == [n for n in order(38) if n not in renounced][:16]


def test_rkm_renounced_before_the_referee_may_leave_the_other_one_in_the_final():
    found = structure_after_renunciations(of(38, 2), order(38), {1}, keep_direct=True)
    assert (found.direct, found.semifinals) == (1, 3)
    there = semifinal_field(found, order(38), {1})
    assert (there.direct, list(there.groups[0].players)) == ((2,), list(range(3, 15)))


def test_rkm_renounced_before_by_somebody_else_the_next_one_moves_up():
    found = structure_after_renunciations(of(38, 1), order(38), {4})
    assert found == of(38, 1)
    assert list(semifinal_field(found, order(38), {4}).groups[0].players) == [2, 3, *range(5, 15)]


def test_rkm_renounced_before_by_somebody_who_does_not_go_on_changes_nothing():
    found = structure_after_renunciations(of(38, 1), order(38), {30})
    assert semifinal_field(found, order(38), {30}) == semifinal_field(of(38, 1), order(38), ())


def test_rkm_renounced_before_too_few_are_left_for_four_semifinals():
    found = structure_after_renunciations(of(14, 1), order(14), {1})
    assert (found.proposed, found.direct, found.semifinals) == (True, 0, 3)


@given(st.integers(16, 260), st.integers(0, 2), st.sets(st.integers(1, 20), max_size=6))
def test_rkm_renounced_before_nobody_who_renounced_plays_and_nobody_is_passed_over(
    players, double_winners, renounced
):
    found = structure_after_renunciations(of(players, double_winners), order(players), renounced)
    there = semifinal_field(found, order(players), renounced)
    playing = sorted(
        [*there.direct, *(player for group in there.groups for player in group.players)]
    )
    assert (
        playing == [player for player in order(players) if player not in renounced][: found.goes_on]
    )


# renouncing the final

TABLES = [(2, 5, 8, 11), (3, 6, 9, 12), (4, 7, 10, 13)]


def seated(renounced=(), direct=(1,), tables=TABLES):
    places = find_finalists(direct, tables, ranking=range(1, 40), renounced=set(renounced))
    return [(place.player, place.code) for place in places]


def test_rkm_renounced_final_nobody_did():
    assert seated() == [(1, "direct"), (2, "winner"), (3, "winner"), (4, "winner")]


@pytest.mark.parametrize(
    ("renounced", "stands_in"),
    [((3,), (6, "second")), ((3, 6), (9, "third")), ((3, 6, 9), (12, "fourth"))],
)
def test_rkm_renounced_final_the_next_one_of_the_same_table_stands_in(renounced, stands_in):
    assert seated(renounced)[2] == stands_in


def test_rkm_renounced_table_as_a_whole_the_best_second_of_the_others_stands_in():
    assert seated((3, 6, 9, 12))[2] == (5, "best_second")
    assert seated((3, 6, 9, 12, 5))[2] == (7, "best_second")


def test_rkm_renounced_table_without_any_second_the_best_third_stands_in_then_the_best_fourth():
    assert seated((3, 6, 9, 12, 5, 7))[2] == (8, "best_third")
    assert seated((3, 6, 9, 12, 5, 7, 8, 10))[2] == (11, "best_fourth")


def test_rkm_renounced_direct_after_the_semifinals_began_the_best_second_stands_in():
    assert seated((1,)) == [(5, "best_second"), (2, "winner"), (3, "winner"), (4, "winner")]


def test_rkm_renounced_direct_both_did_the_two_best_seconds_stand_in():
    tables = [(3, 10, 6, 7), (4, 5, 8, 9)]
    assert seated((1, 2), (1, 2), tables) == [
        (5, "best_second"),
        (10, "best_second"),
        (3, "winner"),
        (4, "winner"),
    ]


def test_rkm_renounced_direct_a_second_who_stands_in_at_his_own_table_is_not_asked_again():
    assert seated((1, 2)) == [(6, "best_second"), (5, "second"), (3, "winner"), (4, "winner")]


def test_rkm_renounced_table_only_the_ranking_after_the_two_games_counts_for_the_best():
    places = find_finalists(
        (), [(1, 9), (2, 4), (3, 8)], ranking=[8, 9, 1, 2, 3, 4], renounced={2, 4}
    )
    assert [place.player for place in places] == [1, 8, 3]


def test_rkm_renounced_final_the_chain_names_all_who_were_asked():
    place = find_finalists((1,), TABLES, ranking=range(1, 40), renounced={3, 6, 9, 12, 5})[2]
    assert (place.entitled, place.table) == (3, 2)
    assert [(step.player, step.code, step.renounced) for step in place.chain] == [
        (3, "winner", True),
        (6, "second", True),
        (9, "third", True),
        (12, "fourth", True),
        (5, "best_second", True),
        (7, "best_second", False),
    ]


def test_rkm_renounced_table_when_nobody_is_left_the_seat_stays_empty():
    place = find_finalists((), [(1, 2), (3, 4)], ranking=range(1, 5), renounced={1, 2, 4})[0]
    assert (place.player, place.code) == (None, "")


@given(st.sets(st.integers(1, 13)))
def test_rkm_renounced_final_nobody_sits_twice_and_nobody_sits_who_renounced(renounced):
    players = [player for player, _code in seated(renounced) if player is not None]
    assert len(players) == len(set(players)) == min(4, 13 - len(renounced))
    assert renounced.isdisjoint(players)


@given(st.sets(st.integers(1, 13)))
def test_rkm_renounced_direct_the_code_says_where_the_substitute_arrived(renounced):
    arrived = {player: number for table in TABLES for number, player in enumerate(table)}
    for player, code in seated(renounced):
        if player is not None and code != "direct":
            rank = {"winner": 0, "second": 1, "third": 2, "fourth": 3}[code.removeprefix("best_")]
            assert arrived[player] == rank


def test_a_structure_says_how_many_go_on():
    assert replace(of(38), direct=2, semifinals=2).goes_on == 10
