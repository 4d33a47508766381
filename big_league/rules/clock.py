"""The time of each player, and who ran out of it (BIG 7.2.2). One unit in all arguments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pergioco.rulekit.paragraph import paragraph


@dataclass(frozen=True)
class ClockEvent:
    """From `at` on this player's time runs; None: a refill or a pause."""

    at: int
    player: int | None


@dataclass(frozen=True)
class TimedOut:
    player: int
    at: int


@dataclass(frozen=True)
class Clock:
    """`timed_out` is in the order of time."""

    used: Mapping[int, int]
    left: Mapping[int, int]
    timed_out: tuple[TimedOut, ...]
    running: int | None


@paragraph("BIG", "7.2.2")
def read_clock(allowed: Mapping[int, int], events: Sequence[ClockEvent], now: int) -> Clock:
    # A player never uses more than the allowed time, even if the turn goes on.
    used, out = dict.fromkeys(allowed, 0), []
    past = [event for event in events if event.at <= now]
    for event, until in pairwise([*past, ClockEvent(now, None)]):
        left = 0 if event.player is None else allowed[event.player] - used[event.player]
        if event.player is None or not left:
            continue
        took = min(until.at - event.at, left)
        used[event.player] += took
        if took == left:
            out.append(TimedOut(event.player, event.at + took))
    remains = {player: allowed[player] - used[player] for player in allowed}
    last = past[-1].player if past else None
    return Clock(used, remains, tuple(out), last if last is not None and remains[last] else None)


@paragraph("BIG", "7.2.2")
def is_clock_overrun(allowed: Mapping[int, int], *, lasted: int, for_refills: int) -> bool:
    """The table lasted longer than all times and refills: the clock was not kept, the table
    stops."""
    return lasted > sum(allowed.values()) + for_refills
