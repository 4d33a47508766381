"""The sheet of one table: what cannot be, and what is asked only where points are level."""

import pytest

from risiko_master.rules.editions import EDITIONS
from risiko_master.rules.sheet import Fault, Line, find_faults, in_order_of_play, missing_answers


def lines(*told):
    return [
        Line(number, *one) if isinstance(one, tuple) else Line(number, one)
        for number, one in enumerate(told, 1)
    ]


def test_a_sheet_without_faults_asks_nothing():
    sheet = lines(45, 39, 20, 0)
    assert (find_faults(sheet, EDITIONS[-1]), missing_answers(sheet)) == ([], (set(), set()))


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        (lines(45, None, 20, 0), [Fault("missing", 2)]),
        (lines(45, 91, 20, 0), [Fault("too_many", 2, 91)]),
        (lines(86, 39, 20, 0), []),
        (lines((None, True), 39, 20, 0), []),
        (lines((None, True), (86, True), 20, 0), [Fault("made_twice")]),
        (lines((10, False, 0, 5), 39, 20, 0), [Fault("order", 1)]),
        (lines((10, False, 0, 2), (10, False, 0, 2), 20, 0), [Fault("order_twice")]),
    ],
)
def test_what_cannot_be_is_found(sheet, expected):
    assert find_faults(sheet, EDITIONS[-1]) == expected


def test_rkm_table_points_outside_the_objective_are_asked_of_who_is_level():
    assert missing_answers(lines(45, 45, 20, 20)) == ({1, 2, 3, 4}, set())
    assert missing_answers(lines(45, 45, 20, 0)) == ({1, 2}, set())


def test_rkm_table_the_order_of_play_is_asked_where_these_are_level_too():
    assert missing_answers(
        lines((45, False, 7), (45, False, 7), (20, False, 1), (20, False, 2))
    ) == (set(), {1, 2})
    assert missing_answers(lines((45, False, 7, 3), (45, False, 7, 1), 20, 0)) == (set(), set())


def test_rkm_table_who_made_risiko_is_level_with_nobody():
    assert missing_answers(lines((45, True), 45, 20, 0)) == (set(), set())


def test_who_told_when_he_played_takes_that_seat():
    sheet = lines((45, False, 7, 4), (45, False, 7, 1), 20, 0)
    assert [line.player for line in in_order_of_play(sheet)] == [2, 3, 4, 1]
    assert [line.player for line in in_order_of_play(lines(4, 3, 2, 1))] == [1, 2, 3, 4]
