"""Chapters 4.3 and 4.4: the final phases, one after the other."""

import pytest

from big_league.rules.elimination import Over, Phase, begin_phase, players_still_in, table_winner
from big_league.rules.phases import NoShape
from tests.big_league.rounds import EDITION, part, rounds, table

FIRST = list(range(1, 17))  # the qualification: player 1 is its first


def played(*phases):
    """Each phase as its code and its tables, whose first player wins."""
    of_rounds = [
        [[part(player, 10 - n) for n, player in enumerate(one)] for one in tables]
        for _code, tables in phases
    ]
    codes = {number: code for number, (code, _tables) in enumerate(phases, 1)}
    return rounds(*of_rounds, phases=codes)


def shown(phase: Phase):
    return phase.code, phase.tables, phase.waiting


@pytest.mark.parametrize(
    ("count", "size", "expected"),
    [
        (2, 2, ("final", ((1, 2),), ())),
        (3, 2, ("semifinal", ((2, 3),), (1,))),
        (8, 2, ("final_4", ((1, 8), (2, 7), (3, 6), (4, 5)), ())),
        (9, 2, ("final_8", ((8, 9),), (1, 2, 3, 4, 5, 6, 7))),
        (3, 3, ("final", ((1, 2, 3),), ())),
        (9, 3, ("semifinal", ((1, 4, 9), (2, 5, 8), (3, 6, 7)), ())),
        (7, 3, ("semifinal", ((2, 4, 7), (3, 5, 6)), (1,))),
        (10, 4, ("semifinal", ((3, 5, 7, 10), (4, 6, 8, 9)), (1, 2))),
        (3, 4, ("final", ((1, 2, 3),), ())),  # one of the four left
    ],
)
def test_big_4_3_the_first_phase_follows_from_how_many_qualified(count, size, expected):
    assert shown(begin_phase(FIRST[:count], size)) == expected


def test_big_4_4_five_cannot_be_brought_to_a_final_of_three_at_such_tables():
    with pytest.raises(NoShape):
        begin_phase(FIRST[:4], 3)


def test_big_4_3_nobody_plays_a_final_alone():
    with pytest.raises(Over):
        begin_phase([1], 2)


def test_big_4_3_whoever_waited_and_whoever_won_meet_again_first_against_last():
    after = played(("final_4", [[5, 4]]))  # five qualified: three waited
    left = players_still_in(after, FIRST[:5], EDITION)
    assert left == (1, 2, 3, 5)
    assert shown(begin_phase(left, 2)) == ("semifinal", ((1, 5), (2, 3)), ())


def test_big_4_3_two_phases_later_the_final_has_two():
    after = played(("final_4", [[5, 4]]), ("semifinal", [[5, 1], [2, 3]]))
    assert players_still_in(after, FIRST[:5], EDITION) == (2, 5)


def test_big_4_4_the_winner_of_each_semifinal_joins_those_who_waited():
    after = played(("semifinal", [[7, 3, 5, 10], [4, 6, 8, 9]]))
    assert players_still_in(after, FIRST[:10], EDITION) == (1, 2, 4, 7)


def test_big_4_3_those_who_did_not_qualify_wait_for_nothing():
    assert players_still_in(played(("semifinal", [[2, 3]])), FIRST, EDITION) == (1, 2)


def test_big_4_3_after_the_final_nothing_is_left_to_play():
    with pytest.raises(Over):
        players_still_in(played(("final", [[1, 2]])), FIRST[:2], EDITION)


def test_big_4_3_of_those_who_share_the_first_place_the_better_qualified_goes_on():
    assert table_winner(table(p4=10, p2=10, p1=3), [1, 2, 4], EDITION) == 2
