"""Shared parts of the day's pages: steps, tables and standings as rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from big_league import labels
from big_league.day_facts import Day
from big_league.models import Event, SignUp
from big_league.rules.standings import Seat, seat_results
from pergioco.rulekit.numbers import half_up
from pergioco.stages import table_pages
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Table
from pergioco.stages.queries.results_grid import entrant_names
from pergioco.stages.rules.table_state import State, TableState
from pergioco.stages.services import reporting


@dataclass(frozen=True)
class Step:
    """One step in the bar on top of the day's pages."""

    name: str
    words: str
    address: str
    is_done: bool
    is_current: bool


@dataclass(frozen=True)
class SeatRow:
    name: str
    seat: SeatFacts
    place: int | None
    points: str


@dataclass(frozen=True)
class TableRow:
    table: Table
    seats: list[SeatRow]
    state: TableState
    token: str

    @property
    def number(self) -> int:
        return self.table.number

    @property
    def version(self) -> int:
        return self.table.version

    @property
    def is_bye(self) -> bool:
        return len(self.seats) == 1

    @property
    def words(self) -> str:
        return _("bye") if self.is_bye else str(STATE_TEXTS[self.state.state])

    @property
    def css(self) -> str:
        states = {State.MISSING: "missing", State.DISPUTED: "disputed"}
        return states.get(self.state.state, "sent")


STATE_TEXTS = {
    State.MISSING: pgettext_lazy("scores of a table", "missing"),
    State.SENT: pgettext_lazy("scores of a table", "sent"),
    State.CONFIRMED: pgettext_lazy("scores of a table", "confirmed"),
    State.DISPUTED: gettext_lazy("referee called"),
    State.SUSPENDED: pgettext_lazy("a table", "suspended"),
}


@dataclass(frozen=True)
class RoundRow:
    number: int
    phase: str
    tables: list[TableRow]

    @property
    def missing(self) -> list[int]:
        return [
            table.number
            for table in self.tables
            if table.state.state == State.MISSING and not table.is_bye
        ]

    @property
    def disputed(self) -> list[int]:
        return [table.number for table in self.tables if table.state.state == State.DISPUTED]


@dataclass(frozen=True)
class StandingRow:
    rank: int
    name: str
    points: str
    decided: str
    left_after: int | None


@dataclass(frozen=True)
class NamedDay:
    """A day with the names that its organizer may see."""

    day: Day

    @cached_property
    def names(self) -> Mapping[int, str]:
        return entrant_names(self.day.stage)

    @cached_property
    def states(self) -> Mapping[int, TableState]:
        return reporting.table_states(self.day.revision) if self.day.revision else {}

    @cached_property
    def tables(self) -> Mapping[tuple[int, int], Table]:
        rows = Table.objects.filter(round__revision=self.day.revision).select_related("round")
        return {(row.round.number, row.number): row for row in rows}

    def rounds(self) -> list[RoundRow]:
        """The last one first."""
        return [self.round(one) for one in reversed(self.day.facts)]

    def find_round(self, number: int) -> RoundRow | None:
        is_there = 0 < number <= len(self.day.facts)
        return self.round(self.day.facts[number - 1]) if is_there else None

    def round(self, one: RoundFacts) -> RoundRow:
        given = seat_results(self.day.rounds[one.number - 1], self.day.edition)
        return RoundRow(
            one.number,
            labels.phase_text(one.phase),
            [self.table(one, table, given) for table in one.tables],
        )

    def table(self, of: RoundFacts, one: TableFacts, given: Mapping[int, Seat]) -> TableRow:
        row = self.tables[of.number, one.number]
        state = self.states[row.pk]
        got = given if state.state != State.MISSING else {}
        seats = [self.seat(seat, got.get(seat.player)) for seat in one.seats]
        return TableRow(
            row,
            seats,
            state,
            table_pages.make_table_token(self.day.stage.pk, of.number, one.number),
        )

    def seat(self, one: SeatFacts, got: Seat | None) -> SeatRow:
        points = number_format(half_up(got.points, 2).normalize() + 0) if got else ""
        return SeatRow(self.names[one.player], one, got.place if got else None, points)

    def standings(self) -> list[StandingRow]:
        left = {entry.player_id: entry.withdrew_after_round for entry in self.day.entries}
        return [
            StandingRow(
                one.rank,
                self.names[one.row.player],
                number_format(half_up(one.row.points, 2)),
                labels.decided_by_text(one.decided_by),
                left[one.row.player],
            )
            for one in self.day.order
        ]


def day_steps(event: Event, day: Day, here: str) -> list[Step]:
    present = event.signups.coming().filter(presence=SignUp.Presence.PRESENT).count()
    missing = len(day.missing(len(day.facts))) if day.facts else 0
    is_closed = day.stage.is_closed
    count = len(day.facts)
    rounds = (
        ngettext("%(n)s round", "%(n)s rounds", count) % {"n": count} if count else _("none yet")
    )
    scores = _("all there") if count else ""
    if missing:
        scores = ngettext("%(n)s table missing", "%(n)s tables missing", missing) % {"n": missing}
    there = ngettext("%(n)s present", "%(n)s present", present) % {"n": present}

    def step(code: str, name: str, words: str, *, is_done: bool) -> Step:
        return Step(
            name, words, reverse(f"desk-big-{code}", args=[event.pk]), is_done, code == here
        )

    return [
        step("check-in", _("Check-in"), there, is_done=present > 0),
        step("draw", pgettext("of a tournament", "Round"), rounds, is_done=count > 0),
        step("day", _("Scores"), scores, is_done=count > 0 and not missing),
        step(
            "close",
            pgettext("a tournament", "Close"),
            _("closed") if is_closed else "",
            is_done=is_closed,
        ),
    ]
