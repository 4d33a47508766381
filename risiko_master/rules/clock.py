"""The clock of a game, computed from the buttons pressed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from pergioco.rulekit.paragraph import paragraph

LENGTH = timedelta(minutes=90)  # then comes the end with “sdadata”, which no clock measures
START, PAUSE, RESUME, END = "start", "pause", "resume", "end"
State = Literal["waiting", "running", "paused", "over", "ended"]
POSSIBLE: dict[State, tuple[str, ...]] = {
    "waiting": (START,),
    "running": (PAUSE, END),
    "paused": (RESUME, END),
    "over": (END,),
    "ended": (),
}


@dataclass(frozen=True)
class Press:
    what: str
    at: datetime


@dataclass(frozen=True)
class Clock:
    """`over`: time is up, and the tables play their last round."""

    state: State
    left: timedelta

    @property
    def possible(self) -> tuple[str, ...]:
        return POSSIBLE[self.state]


@paragraph("RKM", "duration")
def read_clock(presses: Sequence[Press], now: datetime) -> Clock:
    """Time runs from a start or a resumption to the next pause, or to the end."""
    used = timedelta()
    since: datetime | None = None
    for press in presses:
        used += press.at - since if since is not None else timedelta()
        since = press.at if press.what in (START, RESUME) else None
    used += now - since if since is not None else timedelta()
    return Clock(
        clock_state(presses, used, is_running=since is not None), max(LENGTH - used, timedelta())
    )


def clock_state(presses: Sequence[Press], used: timedelta, *, is_running: bool) -> State:
    if not presses:
        return "waiting"
    if presses[-1].what == END:
        return "ended"
    if used >= LENGTH:
        return "over"
    return "running" if is_running else "paused"
