"""Time of each player, refills, and those who use it up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from big_league.rules import clock
from big_league.rules.clock import Clock, ClockEvent, TimedOut

A, B, C = 1, 2, 3
TWENTY = dict.fromkeys((A, B, C), 20 * 60)


def test_big_7_2_2_each_one_uses_his_own_time_and_a_refill_nobodys():
    events = [ClockEvent(0, A), ClockEvent(60, B), ClockEvent(90, None), ClockEvent(300, C)]
    shown = clock.read_clock(TWENTY, events, 310)
    assert shown == Clock({A: 60, B: 30, C: 10}, {A: 1140, B: 1170, C: 1190}, (), C)


def test_big_7_2_2_before_the_first_turn_and_during_a_refill_nothing_runs():
    assert clock.read_clock(TWENTY, [], 500).running is None
    assert clock.read_clock(TWENTY, [ClockEvent(10, A)], 5) == clock.read_clock(TWENTY, [], 5)
    assert clock.read_clock(TWENTY, [ClockEvent(0, A), ClockEvent(5, None)], 500).running is None


def test_big_7_2_2_out_of_time_at_the_very_second():
    events = [ClockEvent(0, A), ClockEvent(1190, B), ClockEvent(1200, A)]
    assert clock.read_clock(TWENTY, events, 1209).timed_out == ()
    shown = clock.read_clock(TWENTY, events, 1500)
    assert (shown.timed_out, shown.used[A], shown.left[A], shown.running) == (
        (TimedOut(A, 1210),),
        1200,
        0,
        None,
    )


def test_big_7_2_2_who_is_out_of_time_is_out_once():
    events = [
        ClockEvent(0, A),
        ClockEvent(1300, B),
        ClockEvent(1400, A),
        ClockEvent(1500, C),
        ClockEvent(3000, None),
    ]
    assert clock.read_clock(TWENTY, events, 4000).timed_out == (
        TimedOut(A, 1200),
        TimedOut(C, 2700),
    )


@pytest.mark.parametrize(("lasted", "suspended"), [(3600, False), (4200, False), (4201, True)])
def test_big_7_2_2_a_table_that_lasts_longer_than_all_times_together_is_suspended(
    lasted, suspended
):
    assert clock.is_clock_overrun(TWENTY, lasted=lasted, for_refills=600) is suspended


@given(
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from([A, B, C, None])), max_size=20),
    st.integers(0, 900),
)
def test_big_7_2_2_second_by_second(moves, now):
    """The same clock, ticking."""
    allowed = {A: 90, B: 150, C: 40}
    events = [ClockEvent(at, player) for at, player in sorted(moves, key=lambda move: move[0])]
    used, out = dict.fromkeys(allowed, 0), []
    for second in range(now):
        running = next((event.player for event in reversed(events) if event.at <= second), None)
        if running is not None and used[running] < allowed[running]:
            used[running] += 1
            if used[running] == allowed[running]:
                out.append(TimedOut(running, second + 1))
    shown = clock.read_clock(allowed, events, now)
    assert (shown.used, shown.timed_out) == (used, tuple(out))
    assert all(shown.used[p] + shown.left[p] == allowed[p] for p in allowed)
