"""The state of a running Master for the control room: steps, tables, missing results."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from pergioco.core.formats import format_thousandths
from pergioco.stages import facts, table_pages
from pergioco.stages.models import Revision, Stage, Table
from pergioco.stages.queries.results_grid import entrant_names
from pergioco.stages.rules.table_state import State, TableState
from pergioco.stages.services import reporting
from pergioco.stages.services.drafting import find_draft
from pergioco.stages.services.pairing import players_in_round
from risiko_master import draft_facts
from risiko_master.labels import round_name
from risiko_master.models import Commitment
from risiko_master.rules.clock import Clock
from risiko_master.rules.day import FINAL, GAMES, QUALIFICATION, SEMIFINAL, Day
from risiko_master.rules.points import FIVE, Scored
from risiko_master.services import clock, presence
from risiko_master.views.entries import club_names

LAST_MINUTE = 60_000
DONE, CURRENT, LOCKED = "done", "current", "locked"
PRESENT = "present"
NAMES: dict[str, Promise] = {
    PRESENT: gettext_lazy("Present"),
    "draw_1": gettext_lazy("Draw 1"),
    "game_1": gettext_lazy("Game 1"),
    "draw_2": gettext_lazy("Draw 2"),
    "game_2": gettext_lazy("Game 2"),
    "semifinals": gettext_lazy("Semifinals"),
    "final": pgettext_lazy("of a tournament", "Final"),
}
STATES: dict[State, Promise] = {
    State.MISSING: pgettext_lazy("of a table", "not sent"),
    State.SENT: pgettext_lazy("of a table", "sent"),
    State.CONFIRMED: pgettext_lazy("of a table", "confirmed"),
    State.DISPUTED: pgettext_lazy("of a table", "referee called"),
    State.SUSPENDED: pgettext_lazy("of a table", "suspended"),
}


@dataclass(frozen=True)
class Step:
    code: str
    state: str
    words: str

    @property
    def name(self) -> Promise:
        return NAMES[self.code]


@dataclass(frozen=True)
class SeatCard:
    name: str
    club: str
    told: str
    points: str
    is_winner: bool


@dataclass(frozen=True)
class Card:
    """One table of the current game and its report."""

    number: int
    is_of_five: bool
    state: TableState
    seats: list[SeatCard]
    token: str

    @property
    def is_sent(self) -> bool:
        return self.state.state != State.MISSING

    @property
    def words(self) -> Promise:
        return STATES[self.state.state]


class Room:
    """Every query runs once."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    @cached_property
    def draft(self) -> Revision | None:
        return find_draft(self.stage)

    @cached_property
    def rounds(self) -> draft_facts.Played:
        return draft_facts.read_draft_rounds(self.draft)

    @cached_property
    def count(self) -> presence.PresenceCount:
        return presence.count_presences(self.stage)

    @cached_property
    def names(self) -> dict[int, str]:
        return entrant_names(self.stage)

    @cached_property
    def clubs(self) -> dict[int, str]:
        return club_names(self.stage)

    @cached_property
    def live(self) -> Day:
        return draft_facts.draft_day(self.stage, self.rounds)

    @property
    def day(self) -> Day | None:
        return self.live if draft_facts.are_both_games_over(self.rounds) else None

    @property
    def current(self) -> facts.RoundFacts | None:
        # The round that was seated last.
        return self.rounds[-1] if self.rounds else None

    @cached_property
    def clock(self) -> Clock | None:
        return clock.current_clock(self.stage, self.current.number) if self.current else None

    @property
    def name(self) -> str | Promise:
        return (
            round_name(self.current.number, draft_facts.round_phase(self.current))
            if self.current
            else ""
        )

    @property
    def left_ms(self) -> int:
        return self.clock.left // timedelta(milliseconds=1) if self.clock else 0

    @property
    def face(self) -> str:
        # “42:17”, rounded up: “00:00” only when no time is left.
        seconds = -(-self.left_ms // 1000)
        return f"{seconds // 60:02}:{seconds % 60:02}"

    @property
    def is_last_minute(self) -> bool:
        return self.left_ms <= LAST_MINUTE

    @property
    def draws(self) -> list[tuple[int, str]]:
        numbers = Commitment.Number if presence.is_announced(self.stage) else ()
        return [(number.value, str(number.label)) for number in numbers]

    @property
    def unseated(self) -> list[str]:
        # Players present without a table, while the game can be drawn again.
        if (
            self.current is None
            or self.current.number > GAMES
            or any(card.is_sent for card in self.cards)
        ):
            return []
        seated = {seat.player for table in self.current.tables for seat in table.seats}
        return sorted(
            self.names[player]
            for player in players_in_round(self.stage, self.current.number).keys() - seated
        )

    @property
    def waits_for_semifinals(self) -> bool:
        return self.turn == "semifinals" and self.unfinished(SEMIFINAL) is None

    @property
    def waits_for_finals(self) -> bool:
        return self.turn == "final" and self.unfinished(FINAL) is None

    @property
    def mark(self) -> str:
        # Changes when a page that shows it is outdated.
        return draft_facts.live_version(self.rounds, self.clock)

    @cached_property
    def cards(self) -> list[Card]:
        if self.current is None:
            return []
        number = self.current.number
        states = self.states
        return [self.card(table, states[number, table.number]) for table in self.current.tables]

    @cached_property
    def states(self) -> dict[tuple[int, int], TableState]:
        if self.draft is None:
            return {}
        by_id = reporting.table_states(self.draft)
        rows = Table.objects.filter(pk__in=by_id).values_list("pk", "round__number", "number")
        return {(round_, number): by_id[pk] for pk, round_, number in rows}

    def card(self, table: facts.TableFacts, state: TableState) -> Card:
        assert self.current is not None
        scored = {
            one.player: one for one in self.live.arrivals[self.current.number].get(table.number, [])
        }
        seats = [self.seat(seat, scored.get(seat.player)) for seat in table.seats]
        token = table_pages.make_table_token(self.stage.pk, self.current.number, table.number)
        return Card(table.number, len(table.seats) == FIVE, state, seats, token)

    def seat(self, seat: facts.SeatFacts, scored: Scored | None) -> SeatCard:
        result = (
            "RisiKo!"
            if seat.objective_made
            else ""
            if seat.score is None
            else f"{seat.score.normalize():f}"
        )
        points = format_thousandths(scored.thousandths) if scored else ""
        won = scored is not None and scored.place == 1
        return SeatCard(
            self.names[seat.player], self.clubs.get(seat.player, ""), result, points, won
        )

    @property
    def sent(self) -> str:
        # “6 tables of 9 have sent. Missing 3, 6 and 9.”
        missing = [card.number for card in self.cards if not card.is_sent]
        return sent_sentence(len(self.cards), missing)

    # The steps

    def unfinished(self, phase: str, game: int = 0) -> list[int] | None:
        """Tables without results; `None` if the game is not seated."""
        of_it = draft_facts.rounds_of_phase(self.rounds, phase)
        if len(of_it) <= game:
            return None
        return [table.number for table in of_it[game].tables if draft_facts.is_table_open(table)]

    @cached_property
    def steps(self) -> list[Step]:
        made: list[Step] = []
        for code, is_done, words, waits in self.step_states():
            begun = not made or made[-1].state == DONE
            state = DONE if is_done else CURRENT if begun else LOCKED
            made.append(Step(code, state, waits if state == LOCKED else words))
        return made

    def step_states(self) -> list[tuple[str, bool, str, str]]:
        """Code, whether it is done, status from its turn on, status before."""
        first, second = self.unfinished(QUALIFICATION), self.unfinished(QUALIFICATION, 1)
        semifinals, final = self.unfinished(SEMIFINAL), self.unfinished(FINAL)
        without = (
            self.day is not None and not self.day.played.proposed and not self.day.played.semifinals
        )
        there = _("%(present)s of %(entered)s") % {
            "present": self.count.present,
            "entered": self.count.entered,
        }
        for_the_draw = _("waits for the draw")
        return [
            (PRESENT, first is not None, there, ""),
            ("draw_1", *draw_status(first), _("waits until the presences are closed")),
            ("game_1", *game_status(first), for_the_draw),
            ("draw_2", *draw_status(second), waiting_sentence(first)),
            ("game_2", *game_status(second), for_the_draw),
            ("semifinals", *game_status(semifinals, is_left_out=without), waiting_sentence(second)),
            ("final", *game_status(final), waiting_sentence(semifinals)),
        ]

    @property
    def is_played(self) -> bool:
        return self.unfinished(FINAL) == []

    @property
    def turn(self) -> str:
        # The code of the current step; empty once all is played.
        return next((step.code for step in self.steps if step.state == CURRENT), "")


def draw_status(missing: list[int] | None) -> tuple[bool, str]:
    return (False, _("now")) if missing is None else (True, _("done"))


def game_status(missing: list[int] | None, *, is_left_out: bool = False) -> tuple[bool, str]:
    if missing == []:
        return True, _("done")
    return is_left_out, waiting_sentence(missing) if missing else _("now")


def waiting_sentence(missing: list[int] | None) -> str:
    if not missing:
        return _("later")
    words = ngettext("waits for table %(tables)s", "waits for tables %(tables)s", len(missing))
    return words % {"tables": join_numbers(missing)}


def sent_sentence(tables: int, missing: Sequence[int]) -> str:
    sent = tables - len(missing)
    words = ngettext(
        "%(sent)s table of %(tables)s has sent.", "%(sent)s tables of %(tables)s have sent.", sent
    )
    sentence = words % {"sent": sent, "tables": tables}
    if not missing:
        return sentence
    return sentence + " " + _("Missing: %(missing)s.") % {"missing": join_numbers(missing)}


def join_numbers(numbers: Sequence[int]) -> str:
    return get_text_list([str(number) for number in numbers], _("and"))
