"""The clock of a game: ninety minutes, whatever stops in between."""

from datetime import UTC, datetime, timedelta

import pytest

from risiko_master.rules.clock import LENGTH, Clock, Press, read_clock

START = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)


def after(minutes, *presses):
    """`(10, "pause")`: pressed ten minutes after the start."""
    made = [Press(what, START + timedelta(minutes=at)) for at, what in presses]
    return read_clock(made, START + timedelta(minutes=minutes))


def left(minutes):
    return timedelta(minutes=minutes)


def test_rkm_duration_is_ninety_minutes_before_anything_is_pressed():
    assert after(0) == Clock("waiting", LENGTH) == Clock("waiting", left(90))


@pytest.mark.parametrize(
    ("minutes", "state", "remain"),
    [(0, "running", 90), (60, "running", 30), (90, "over", 0), (120, "over", 0)],
)
def test_rkm_duration_runs_from_the_start(minutes, state, remain):
    assert after(minutes, (0, "start")) == Clock(state, left(remain))


def test_rkm_duration_stands_still_in_a_pause_however_long():
    pressed = ((0, "start"), (20, "pause"))
    assert after(21, *pressed) == after(80, *pressed) == Clock("paused", left(70))
    resumed = (*pressed, (50, "resume"))
    assert after(60, *resumed) == Clock("running", left(60))
    assert after(119, *resumed) == Clock("running", left(1))
    assert after(120, *resumed) == Clock("over", left(0))


def test_rkm_duration_a_pause_at_the_very_end_leaves_nothing_to_resume():
    assert after(95, (0, "start"), (90, "pause")).state == "over"


def test_rkm_duration_a_game_ends_before_its_time_when_all_tables_are_done():
    assert after(99, (0, "start"), (70, "end")) == Clock("ended", left(20))


def test_what_may_be_pressed_follows_from_the_state():
    shown = [
        after(0),
        after(1, (0, "start")),
        after(2, (0, "start"), (1, "pause")),
        after(91, (0, "start")),
        after(9, (0, "start"), (8, "end")),
    ]
    assert [one.possible for one in shown] == [
        ("start",),
        ("pause", "end"),
        ("resume", "end"),
        ("end",),
        (),
    ]
