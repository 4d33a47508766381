"""BIG 7.2.2 and 8.1: what the scores alone do not tell is told by outcomes beside them."""

from decimal import Decimal

import pytest

from big_league.rules.editions import EDITIONS
from big_league.rules.table import Part, find_ties, place_table, with_decided_outcomes


def part(player: int, score: int, **what) -> Part:
    return Part(player, Decimal(score), **what)


def order(parts: list[Part], ahead: dict[int, int] | None = None) -> list[tuple[int, int]]:
    return [
        (one.player, one.place)
        for one in place_table(with_decided_outcomes(parts, ahead or {}), EDITIONS[0])
    ]


def as_stored(parts: list[Part], ahead: dict[int, int] | None = None) -> list[tuple[int, int]]:
    """A seat knows only that the time ran out: the order stands in the outcomes."""
    seats = [
        one._replace(timed_out=int(bool(one.timed_out)))
        for one in with_decided_outcomes(parts, ahead or {})
    ]
    return [(one.player, one.place) for one in place_table(seats, EDITIONS[0])]


def test_without_ties_and_time_outs_nothing_is_added():
    assert [
        one.outcome for one in with_decided_outcomes([part(1, 80), part(2, 60), part(3, 40)], {})
    ] == ["", "", ""]


def test_those_who_tie_share_unless_the_tie_break_of_the_game_parts_them():
    parts = [part(1, 80), part(2, 60), part(3, 60), part(4, 40)]
    assert find_ties(parts) == [[2, 3]]
    assert order(parts) == [(1, 1), (2, 2), (3, 2), (4, 4)]
    assert order(parts, {2: 2, 3: 1}) == [(1, 1), (3, 2), (2, 3), (4, 4)]


@pytest.mark.parametrize(
    ("ahead", "expected"),
    [
        ({1: 1, 2: 2, 3: 3, 4: 4}, [(1, 1), (2, 2), (3, 3), (4, 4)]),
        ({1: 4, 2: 3, 3: 2, 4: 1}, [(4, 1), (3, 2), (2, 3), (1, 4)]),
        ({1: 1, 2: 1, 3: 2, 4: 2}, [(1, 1), (2, 1), (3, 3), (4, 3)]),
    ],
)
def test_four_who_tie_are_parted_as_the_table_says(ahead, expected):
    assert order([part(player, 50) for player in (1, 2, 3, 4)], ahead) == expected


@pytest.mark.parametrize("out", [(1,), (1, 2), (1, 2, 3)])
def test_of_those_out_of_time_the_later_stands_before_and_a_seat_remembers_it(out):
    parts = [part(n, 90 + n, timed_out=n if n in out else 0) for n in (1, 2, 3, 4)]
    expected = [*(n for n in (4, 3, 2, 1) if n not in out), *reversed(out)]
    assert [player for player, _place in as_stored(parts)] == expected
    assert [place for _player, place in as_stored(parts)] == [1, 2, 3, 4]


def test_the_bid_is_off_before_anything_ties():
    assert find_ties([part(1, 62, bid=Decimal(2)), part(2, 60), part(3, 60, kind="quit")]) == [
        [1, 2]
    ]


def test_who_left_is_noted_as_a_loss():
    assert [
        one.outcome for one in with_decided_outcomes([part(1, 80), part(2, 0, kind="quit")], {})
    ] == ["", "loss"]
