"""Chapter 1: asking for a tournament. The hints, as rules."""

from datetime import date

import pytest

from big_league.rules.events import Hint, PlannedEvent, request_hints

ASKED = date(2026, 3, 12)


def planned(starts_on=date(2026, 4, 12), expected=None, capacity=None, *, two_only=False):
    return PlannedEvent(ASKED, starts_on, expected, capacity, two_only)


def test_big_1_a_month_ahead_and_nothing_special_needs_no_word():
    assert request_hints(planned()) == ()


@pytest.mark.parametrize(
    ("day", "expected"), [(18, (Hint.SHORT_NOTICE,)), (19, ()), (12, (Hint.SHORT_NOTICE,))]
)
def test_big_1_seven_days_are_enough_notice_and_six_are_not(day, expected):
    assert request_hints(planned(date(2026, 3, day))) == expected


@pytest.mark.parametrize(
    ("expected", "capacity", "is_halved"),
    [
        (5, None, True),
        (6, None, False),
        (None, 5, True),
        (None, 6, False),
        (20, 5, True),
        (5, 40, True),
    ],
)
def test_big_1_fewer_than_six_players_mean_half_the_points(expected, capacity, is_halved):
    assert request_hints(planned(expected=expected, capacity=capacity)) == (
        (Hint.HALF_POINTS,) if is_halved else ()
    )


def test_big_1_all_that_there_is_to_say_is_said_at_once():
    assert request_hints(planned(ASKED, expected=4, two_only=True)) == (
        Hint.SHORT_NOTICE,
        Hint.HALF_POINTS,
        Hint.TWO_ONLY,
    )
