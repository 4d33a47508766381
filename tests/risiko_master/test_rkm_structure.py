"""The structure after the two games: every number of players, every way in which double winners may
stand."""

from itertools import product

import pytest

from risiko_master.rules.editions import EDITIONS
from risiko_master.rules.playoffs import Qualified, Structure, find_structure, with_both_games
from risiko_master.rules.rankings import Record, rank_records

EDITION = EDITIONS[-1]
# The regulation in the test's own words, below fifty: places of the double winners -> straight
# there, semifinals
BELOW_FIFTY = {
    (): (0, 4),
    (1,): (1, 3),
    (1, 2): (2, 2),
    (1, 1): (2, 2),  # the tie is of the first two alone
    (1, 2, 3): (2, 2),
    (1, 1, 3): (2, 2),
    (1, 2, 2): (1, 3),  # second and third share
    (1, 1, 1): (0, 4),  # the first three share
    (1, 2, 3, 4): (2, 2),
    (1, 2, 3, 3): (2, 2),
    (1, 1, 3, 3): (2, 2),
    (1, 2, 2, 2): (1, 3),
    (1, 2, 2, 4): (1, 3),
    (1, 1, 1, 4): (0, 4),
    (1, 1, 1, 1): (0, 4),
}
FROM_FIFTY = {
    range(50, 100): (4, 1),
    range(100, 150): (8, 2),
    range(150, 200): (12, 3),
    range(200, 261): (16, 4),
}


def field(players: int, double_winners: tuple[int, ...]) -> list[Qualified]:
    behind = range(len(double_winners) + 1, players + 1)
    return [
        *(Qualified(number, place, 2) for number, place in enumerate(double_winners, 1)),
        *(Qualified(number, number, number % 2) for number in behind),
    ]


def of(players: int, double_winners: tuple[int, ...] = ()) -> Structure:
    return find_structure(field(players, double_winners), EDITION)


def expected(players: int, double_winners: tuple[int, ...]) -> tuple[int, int, int]:
    """Straight to the final, semifinals, winners."""
    for size, (semifinals, winners) in FROM_FIFTY.items():
        if players in size:
            return 0, semifinals, winners
    return *BELOW_FIFTY[double_winners], 1


@pytest.mark.parametrize("double_winners", BELOW_FIFTY)
def test_rkm_structure_of_every_number_of_players_and_every_tie(double_winners):
    for players in range(max(8, len(double_winners)), 261):
        found, (direct, semifinals, winners) = (
            of(players, double_winners),
            expected(players, double_winners),
        )
        if players < direct + 4 * semifinals:
            assert (found.proposed, found.direct, found.winners) == (True, direct, winners), players
            assert found.goes_on <= players < found.goes_on + 4, players
        else:
            assert (found.direct, found.semifinals, found.winners) == (
                direct,
                semifinals,
                winners,
            ), players
            assert found.proposed is False, players
        assert (found.players, found.double_winners) == (players, len(double_winners))


@pytest.mark.parametrize(
    ("players", "goes_on"),
    [
        (49, 16),
        (50, 16),
        (99, 16),
        (100, 32),
        (149, 32),
        (150, 48),
        (199, 48),
        (200, 64),
        (260, 64),
    ],
)
def test_rkm_structure_semifinalists_at_the_borders_of_the_table(players, goes_on):
    assert of(players).goes_on == goes_on


def test_rkm_structure_warns_where_the_text_ends():
    assert [of(players).beyond_text for players in (200, 249, 250, 260)] == [
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("places", "case"),
    [
        ((), "no_double_winner"),
        ((1,), "one_double_winner"),
        ((1, 2), "two_double_winners"),
        ((1, 2, 2), "tie_for_second"),
        ((1, 1, 1), "tie_of_three"),
    ],
)
def test_rkm_direct_finalists_are_said_by_their_case(places, case):
    assert of(38, places).case == case


def test_rkm_direct_finalists_there_are_none_from_fifty_players_on():
    assert [of(players, (1, 2)).direct for players in (49, 50)] == [2, 0]
    assert of(50, (1, 2)).case == "from_50"


def test_rkm_too_few_players_are_proposed_what_they_fill():
    """10, 13 and 16 are needed with two, one and no double winner."""
    cases = [
        (10, (1, 2)),
        (9, (1, 2)),
        (13, (1,)),
        (12, (1,)),
        (16, ()),
        (15, ()),
        (4, ()),
        (3, ()),
    ]
    found = [of(players, places) for players, places in cases]
    assert [(one.proposed, one.direct, one.semifinals) for one in found] == [
        (False, 2, 2),
        (True, 2, 1),
        (False, 1, 3),
        (True, 1, 2),
        (False, 0, 4),
        (True, 0, 3),
        (True, 0, 1),
        (True, 0, 0),
    ]


def test_rkm_both_games_are_asked_of_who_counts_and_who_goes_on():
    """Fifty-two who entered, forty-nine with both games: below fifty, though one of the others has
    more points."""
    complete = [Record(number, (30, number)) for number in range(1, 50)]
    partial = [Record(50, (1100, None)), Record(51, (None, 20)), Record(52, (12, None))]
    placed = rank_records([*complete, *partial])
    assert placed[0].row.player == 50
    there = with_both_games(placed)
    assert {p.row.player for p in there} == set(range(1, 50))
    found = find_structure([Qualified(p.row.player, p.rank, 0) for p in there], EDITION)
    assert (found.players, found.case, found.semifinals) == (49, "no_double_winner", 4)


def test_rkm_structure_nothing_but_numbers_and_ties_decides():
    """Wins of one game alone never count, however many they are."""
    for wins in product((0, 1), repeat=3):
        qualified = [Qualified(number, number, won) for number, won in enumerate(wins, 1)]
        qualified += [Qualified(number, number, 1) for number in range(4, 21)]
        assert find_structure(qualified, EDITION).case == "no_double_winner"
