"""The time of each player, and who used it up (BIG 7.2.2). All times are whole seconds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pergioco.rulekit.paragraph import paragraph


@dataclass(frozen=True)
class Event:
    """From `at` on the time of this player runs; of nobody: a refill, or a pause."""

    at: int
    player: int | None


@dataclass(frozen=True)
class TimedOut:
    player: int
    at: int


@dataclass(frozen=True)
class Clock:
    """Who ran out of time stands in the order in which it happened."""

    used: Mapping[int, int]
    left: Mapping[int, int]
    timed_out: tuple[TimedOut, ...]
    running: int | None


@paragraph("BIG", "7.2.2")
def read(allowed: Mapping[int, int], events: Sequence[Event], now: int) -> Clock:
    """What the clock shows at `now`. Nobody uses more than he has: a turn that goes on after that costs no one."""
    used, out = dict.fromkeys(allowed, 0), []
    past = [event for event in events if event.at <= now]
    for event, until in pairwise([*past, Event(now, None)]):
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
def is_suspended(allowed: Mapping[int, int], *, lasted: int, for_refills: int) -> bool:
    """Longer than everybody's time and the time for refills together: the clock was badly kept, the table stops."""
    return lasted > sum(allowed.values()) + for_refills
