"""The clock of a table: whose time runs, by the time of the server, so that every phone shows the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from big_league.at_table.auction import players_at
from big_league.rules.clock import Clock, Event, is_suspended
from big_league.rules.clock import read as read_clock
from pergioco.players.refusal import Refused
from pergioco.stages import table_steps
from pergioco.stages.models import Table, TableStep
from pergioco.stages.table_steps import CLOCK, Run, go_on

MINUTE = 60_000  # a clock counts thousandths of a second
LONGEST_WAIT = timedelta(hours=3)  # of a tap that a phone without a network kept


@dataclass(frozen=True)
class Shown:
    """A clock as it stands; `begun` is false as long as nobody's time has run."""

    clock: Clock | None
    seen: int
    allowed: int = 0
    begun: bool = False
    is_over: bool = False  # longer than everybody's time and that for refills: the table is suspended (7.2.2)

    @property
    def order_out(self) -> list[int]:
        """Who ran out of time, the first one first."""
        return [one.player for one in self.clock.timed_out] if self.clock else []


def milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def read(table: Table, now: datetime) -> Shown:
    run, players = Run(table, CLOCK), players_at(table)
    if run.begun is None or run.begun.data["players"] != players:
        return Shown(None, run.seen)
    each, refills = (run.begun.data[name] * MINUTE for name in ("minutes", "refills"))
    allowed = dict.fromkeys(players, each)
    events = events_of(run)
    clock = read_clock(allowed, events, milliseconds(now))
    lasted = milliseconds(now) - events[0].at if events else 0
    return Shown(clock, run.seen, each, bool(events), is_suspended(allowed, lasted=lasted, for_refills=refills))


def events_of(run: Run) -> list[Event]:
    return [Event(step.data["at"], step.data["player"]) for step in run.moves]


def begin(table: Table, *, minutes: int, refills: int, submission: UUID, seen: int) -> None:
    data = {"players": players_at(table), "minutes": minutes, "refills": refills}
    go_on(table, CLOCK, submission=submission, seen=seen, make=lambda _run: (TableStep.Kind.CLOCK, data))


def hand_over(table: Table, player: int | None, *, now: datetime, ago: timedelta, submission: UUID) -> None:
    """From now on the time of this player runs, or of nobody: a refill. `ago`: how long the phone kept the tap."""
    players = players_at(table)
    if player is not None and player not in players:
        raise Refused(_("This player does not sit at this table."))
    at = milliseconds(now - min(max(ago, timedelta()), LONGEST_WAIT))

    def turn(run: Run) -> tuple[TableStep.Kind, dict[str, Any]]:
        if run.begun is None:
            raise Refused(_("No clock is set up at this table."))
        return TableStep.Kind.TURN, {"player": player, "at": max(at, last_of(events_of(run), at))}

    go_on(table, CLOCK, submission=submission, seen=None, make=turn)


def last_of(events: Sequence[Event], otherwise: int) -> int:
    return events[-1].at if events else otherwise


def take_back(table: Table, *, submission: UUID, seen: int) -> None:
    table_steps.take_back(table, CLOCK, submission=submission, seen=seen)
