"""Where the day of a Master stands: its steps, the tables of the game that is played, and what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from pergioco.desk.grid import names_of_entrants
from pergioco.desk.masters.entries import clubs_of
from pergioco.stages import facts, reporting, table_links
from pergioco.stages.drafting import draft_of
from pergioco.stages.models import Revision, Stage, Table
from pergioco.stages.pairing import field
from pergioco.stages.rules.table_state import State, TableState
from risiko_master import clock, presence, today
from risiko_master.compute import value
from risiko_master.models import Commitment
from risiko_master.rules.clock import Clock
from risiko_master.rules.day import FINAL, GAMES, QUALIFICATION, SEMIFINAL, Day
from risiko_master.rules.points import FIVE, Scored
from risiko_master.standing_labels import points_shown, round_name

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
    """One table of the game on the wall: who sits there, what it sent."""

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
    """Everything is asked for once."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    @cached_property
    def draft(self) -> Revision | None:
        return draft_of(self.stage)

    @cached_property
    def rounds(self) -> today.Played:
        return today.played(self.draft)

    @cached_property
    def count(self) -> presence.Count:
        return presence.count(self.stage)

    @cached_property
    def names(self) -> dict[int, str]:
        return names_of_entrants(self.stage)

    @cached_property
    def clubs(self) -> dict[int, str]:
        return clubs_of(self.stage)

    @cached_property
    def live(self) -> Day:
        """As far as results are there."""
        return today.day_of(self.stage, self.rounds)

    @property
    def day(self) -> Day | None:
        """Both games are over."""
        return self.live if today.are_both_games_over(self.rounds) else None

    @property
    def current(self) -> facts.RoundFacts | None:
        """The tables on the wall: those that were seated last."""
        return self.rounds[-1] if self.rounds else None

    @cached_property
    def clock(self) -> Clock | None:
        return clock.read(self.stage, self.current.number) if self.current else None

    @property
    def name(self) -> str | Promise:
        """Of the game whose tables are on the wall."""
        return round_name(self.current.number, today.phase_of(self.current)) if self.current else ""

    @property
    def left_ms(self) -> int:
        return self.clock.left // timedelta(milliseconds=1) if self.clock else 0

    @property
    def face(self) -> str:
        """“42:17”, rounded up: it shows nothing left only when nothing is left."""
        seconds = -(-self.left_ms // 1000)
        return f"{seconds // 60:02}:{seconds % 60:02}"

    @property
    def is_last_minute(self) -> bool:
        return self.left_ms <= LAST_MINUTE

    @property
    def draws(self) -> list[tuple[int, str]]:
        """Once their hashes are public."""
        numbers = Commitment.Number if presence.is_announced(self.stage) else ()
        return [(number.value, str(number.label)) for number in numbers]

    @property
    def unseated(self) -> list[str]:
        """Who is there and has no table, as long as the game can still be drawn again."""
        if self.current is None or self.current.number > GAMES or any(card.is_sent for card in self.cards):
            return []
        seated = {seat.player for table in self.current.tables for seat in table.seats}
        return sorted(self.names[player] for player in field(self.stage, self.current.number).keys() - seated)

    @property
    def waits_for_semifinals(self) -> bool:
        return self.turn == "semifinals" and self.unfinished(SEMIFINAL) is None

    @property
    def waits_for_finals(self) -> bool:
        return self.turn == "final" and self.unfinished(FINAL) is None

    @property
    def mark(self) -> str:
        """Another one, and a page that shows it is no longer true."""
        return today.mark(self.rounds, self.clock)

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
        by_id = reporting.states_of(self.draft)
        rows = Table.objects.filter(pk__in=by_id).values_list("pk", "round__number", "number")
        return {(round_, number): by_id[pk] for pk, round_, number in rows}

    def card(self, table: facts.TableFacts, state: TableState) -> Card:
        assert self.current is not None
        scored = {one.player: one for one in self.live.arrivals[self.current.number].get(table.number, [])}
        seats = [self.seat(seat, scored.get(seat.player)) for seat in table.seats]
        token = table_links.token(self.stage.pk, self.current.number, table.number)
        return Card(table.number, len(table.seats) == FIVE, state, seats, token)

    def seat(self, seat: facts.SeatFacts, scored: Scored | None) -> SeatCard:
        told = "RisiKo!" if seat.objective_made else "" if seat.score is None else f"{seat.score.normalize():f}"
        points = points_shown(value(scored.thousandths)) if scored else ""
        won = scored is not None and scored.place == 1
        return SeatCard(self.names[seat.player], self.clubs.get(seat.player, ""), told, points, won)

    @property
    def sent(self) -> str:
        """“6 tables of 9 have sent. Missing 3, 6 and 9.”"""
        missing = [card.number for card in self.cards if not card.is_sent]
        return sent_in_words(len(self.cards), missing)

    # The steps

    def unfinished(self, phase: str, game: int = 0) -> list[int] | None:
        """Tables without their results; nothing if the game is not seated."""
        of_it = today.of_phase(self.rounds, phase)
        if len(of_it) <= game:
            return None
        return [table.number for table in of_it[game].tables if today.is_open(table)]

    @cached_property
    def steps(self) -> list[Step]:
        """The first that is not done is the one that waits for somebody; the others say what they wait for."""
        made: list[Step] = []
        for code, is_done, words, waits in self.told_steps():
            begun = not made or made[-1].state == DONE
            state = DONE if is_done else CURRENT if begun else LOCKED
            made.append(Step(code, state, waits if state == LOCKED else words))
        return made

    def told_steps(self) -> list[tuple[str, bool, str, str]]:
        """Code, whether it is done, words while it is or was its turn, words before that."""
        first, second = self.unfinished(QUALIFICATION), self.unfinished(QUALIFICATION, 1)
        semifinals, final = self.unfinished(SEMIFINAL), self.unfinished(FINAL)
        without = self.day is not None and not self.day.played.proposed and not self.day.played.semifinals
        there = _("%(present)s of %(entered)s") % {"present": self.count.present, "entered": self.count.entered}
        return [
            (PRESENT, first is not None, there, ""),
            ("draw_1", first is not None, done_or(first is not None), _("waits until the presences are closed")),
            ("game_1", first == [], of_tables(first), _("waits for the draw")),
            ("draw_2", second is not None, done_or(second is not None), waits_for(first)),
            ("game_2", second == [], of_tables(second), _("waits for the draw")),
            ("semifinals", semifinals == [] or without, of_tables(semifinals), waits_for(second)),
            ("final", final == [], of_tables(final), waits_for(semifinals)),
        ]

    @property
    def is_played(self) -> bool:
        """The finals too."""
        return self.unfinished(FINAL) == []

    @property
    def turn(self) -> str:
        """The code of the step that waits for somebody; nothing once all is played."""
        return next((step.code for step in self.steps if step.state == CURRENT), "")


def done_or(is_done: bool) -> str:  # noqa: FBT001 - one word
    return _("done") if is_done else _("now")


def of_tables(missing: list[int] | None) -> str:
    if missing is None:
        return _("now")
    return _("done") if not missing else waits_for(missing)


def waits_for(missing: list[int] | None) -> str:
    if not missing:
        return _("later")
    words = ngettext("waits for table %(tables)s", "waits for tables %(tables)s", len(missing))
    return words % {"tables": in_words(missing)}


def sent_in_words(tables: int, missing: Sequence[int]) -> str:
    sent = tables - len(missing)
    words = ngettext("%(sent)s table of %(tables)s has sent.", "%(sent)s tables of %(tables)s have sent.", sent)
    told = words % {"sent": sent, "tables": tables}
    if not missing:
        return told
    return told + " " + _("Missing: %(missing)s.") % {"missing": in_words(missing)}


def in_words(numbers: Sequence[int]) -> str:
    return get_text_list([str(number) for number in numbers], _("and"))
