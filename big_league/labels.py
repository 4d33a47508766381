"""BIG in words: rankings, tie-breaks, phases, advice and states."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from big_league.day_facts import USUAL_TABLE, Day, count_participants, final_shape
from big_league.models import Event, GameSheet
from big_league.rules.events import Hint, WaitingLine
from big_league.rules.phases import (
    NO_END,
    Format,
    NoShape,
    Opening,
    PhaseEdition,
    Rounds,
    Row,
    find_row,
    game_kind,
    plan_opening,
    qualifying_rounds,
    recommend_rounds,
)
from big_league.services import event_requests
from big_league.services.sign_ups import EventStatus
from pergioco.publishing.computed import Criterion
from pergioco.publishing.models import Line
from pergioco.stages.models import Game

NAMES: dict[str, Promise] = {
    "big": gettext_lazy("BIG points"),
    "big-game": gettext_lazy("BIG points"),
    "big-elo": gettext_lazy("BIG Elo"),
    "big-event": gettext_lazy("BIG tournament"),
}
DECIMALS = {"big": 2, "big-elo": 3, "big-event": 2}
MEANINGS: dict[str, Promise] = {
    "big": gettext_lazy(
        "All championships of Board Italian Gamers: the best three results of each game."
    ),
    "big-game": gettext_lazy("The best five results since the last national final."),
    "big-elo": gettext_lazy(
        "Who wins against whom, never begun again. "
        "Its arithmetic is ours: the rules of BIG name an Elo, not how it goes."
    ),
}
ENDS: dict[str, Promise] = {
    "big": gettext_lazy("No year ends it: each game counts until its next national final."),
    "big-game": gettext_lazy(
        "No year ends it: the next national final of the game begins it anew."
    ),
    "big-elo": gettext_lazy("No year and no final ends it."),
}
PARAGRAPHS: dict[str, tuple[str, ...]] = {
    "big": ("5", "5.1", "5.2", "5.3", "7"),
    "big-game": ("5", "5.1", "5.2", "5.3", "7"),
    "big-elo": ("5", "5.3"),
}
BEHIND_AN_EVENT = ("5.1", "5.2", "5.3")
CALLED = gettext_lazy("1–32: called to a national final, as it stands")
RESERVES = gettext_lazy("33–64: reserves")
NOT_CALLED = gettext_lazy("From 65 on")


def points_text(line: Line) -> str:
    return number_format(line.value, 2, use_l10n=True)


def elo_text(line: Line) -> str:
    return number_format(line.value, 3, use_l10n=True)


def round_amount(number: int, name: str) -> Callable[[Line], str]:
    def amount(line: Line) -> str:
        found: Any = next(
            (one[name] for one in line.detail["rounds"] if one["round"] == number), "–"
        )
        return str(found)

    return amount


def last_place_text(line: Line) -> str:
    return str(line.detail["rounds"][-1]["place"])


def first_share_text(line: Line) -> str:
    return round_amount(line.detail["rounds"][0]["round"], "share")(line)


def no_text(_line: Line) -> str:
    return ""


def phase_reached(line: Line) -> str:
    return str(PHASES.get(line.detail["rounds"][-1]["phase"], ""))


PHASES: dict[str, Promise] = {
    "qualification": gettext_lazy("qualification"),
    "final_8": gettext_lazy("round of sixteen"),
    "final_4": gettext_lazy("quarter-finals"),
    "semifinal": gettext_lazy("semifinals"),
    "final": pgettext_lazy("the last phase of a tournament", "final"),
}
CRITERIA: dict[str, Criterion] = {
    "points": Criterion(gettext_lazy("points"), points_text),
    "elo": Criterion(gettext_lazy("Elo"), elo_text),
}
EVENT_CRITERIA: dict[str, Criterion] = {
    "points": Criterion(
        gettext_lazy("points at the tables"),
        lambda line: number_format(line.detail["table_points"]),
    ),
    "phase": Criterion(gettext_lazy("phase reached"), phase_reached),
    "final": Criterion(gettext_lazy("place in the final"), last_place_text),
    "pbg": Criterion(gettext_lazy("share of the points at the first table"), first_share_text),
    "lots": Criterion(gettext_lazy("lots"), no_text),
}


ROUND_CRITERIA: dict[str, Promise] = {
    "table": gettext_lazy("the higher table in round %(n)s"),
    "place": gettext_lazy("place at the table in round %(n)s"),
}


def event_criterion(code: str) -> Criterion | None:
    """The code `table:3` means the table of round 3."""
    name, _colon, number = code.partition(":")
    if name in ROUND_CRITERIA:
        words = str(ROUND_CRITERIA[name]) % {"n": number}
        return Criterion(words, round_amount(int(number), name))
    return EVENT_CRITERIA.get(code)


OFFICIAL = "https://www.boarditaliangamers.it/"


@dataclass(frozen=True)
class PhaseLine:
    players: str
    rounds: str
    cases: tuple[str, ...] = ()


def row_span(row: Rounds | Row) -> str:
    """Like 6, 7–8 or 33+."""
    if row.most == NO_END:
        return f"{row.least}+"
    return str(row.least) if row.least == row.most else f"{row.least}–{row.most}"


def rounds_table(sheet: GameSheet, edition: PhaseEdition) -> list[PhaseLine]:
    # The final of several games has its own number of rounds.
    if sheet.final_format == GameSheet.FinalFormat.HARDCORE:
        return []
    kind = game_kind(sheet.recommended or USUAL_TABLE)
    return [
        PhaseLine(row_span(row), rounds_text(row, sheet.extra_rounds))
        for row in edition.rounds[kind]
    ]


def rounds_text(row: Rounds, extra: int) -> str:
    enough = row.rounds + extra
    if not row.before_final:
        return str(enough)
    return _("%(rounds)s, or %(fewer)s and a final") % {
        "rounds": enough,
        "fewer": row.before_final + extra,
    }


def final_table(sheet: GameSheet, edition: PhaseEdition) -> list[PhaseLine]:
    """Empty if the format is announced before each final."""
    shape = edition.finals.get(sheet.final_format)
    if shape is None:
        return []
    return [
        PhaseLine(
            row_span(row),
            " / ".join(map(str, row.rounds)),
            tuple(opening_text(shape, row.least, qualified) for qualified in row.qualified),
        )
        for row in shape.rows
    ]


def opening_text(shape: Format, participants: int, qualified: int) -> str:
    return case_text(plan_opening(shape, participants=participants, qualified=qualified), qualified)


def case_text(begins: Opening, qualified: int) -> str:
    if not begins.tables:
        return _("one with all wins: champion at once")
    through = ngettext("%(count)s goes on", "%(count)s go on", qualified) % {"count": qualified}
    phase = phase_name(begins.phase)
    if not begins.straight:
        return f"{through}: {phase}"
    rest = ngettext(
        "the first waits for the phase after, %(playing)s play: %(phase)s",
        "the first %(straight)s wait for the phase after, %(playing)s play: %(phase)s",
        begins.straight,
    ) % {"straight": begins.straight, "playing": begins.playing, "phase": phase}
    return f"{through}: {rest}"


def phase_name(code: str) -> str:
    names = {
        "final": pgettext("last phase of a tournament", "final"),
        "semifinal": _("semifinals"),
        "quarterfinal": _("quarterfinals"),
    }
    return names.get(code) or _("round of %(players)s") % {"players": code.rpartition("_")[2]}


def decided_by_text(code: str) -> str:
    criterion = event_criterion(code) if code != "points" else None
    return str(criterion.words) if criterion else ""


def phase_text(code: str) -> str:
    return str(PHASES.get(code, "")) or (
        _("round of %(players)s") % {"players": 2 * int(code.rpartition("_")[2])}
        if code.startswith("final_")
        else ""
    )


def rounds_advice(day: Day, size: int) -> str:
    """The fewest rounds that avoid a shared first place (BIG 8.1)."""
    count = len(day.field)
    found = recommend_rounds(
        count, game_kind(size), day.phases, extra=day.sheet.extra_rounds if day.sheet else 0
    )
    if found.is_round_robin:
        return _(
            "Four players of a game for two: let everybody meet everybody, which takes three "
            "rounds."
        )
    sentence = ngettext(
        "With %(players)s players: %(rounds)s round at least.",
        "With %(players)s players: %(rounds)s rounds at least.",
        found.rounds,
    ) % {"players": count, "rounds": found.rounds}
    if found.before_final:
        sentence += " " + _("Or %(rounds)s and a final phase.") % {"rounds": found.before_final}
    if not found.is_printed:
        sentence += " " + _(
            "(The rules print no row for so many players: this is the nearest one.)"
        )
    return sentence


def format_cases(day: Day, size: int) -> list[str]:
    shape = final_shape(day, size)
    if shape is None:
        return []
    participants = count_participants(day)
    row, _inside = find_row(shape.rows, participants)
    rounds, _inside = qualifying_rounds(shape, participants)
    found = (opening_text(shape, participants, qualified) for qualified in row.qualified)
    return [qualifying_text(rounds), *found]


def qualifying_text(rounds: Sequence[int]) -> str:
    numbers = " / ".join(map(str, rounds))
    return ngettext("%(n)s round to qualify", "%(n)s rounds to qualify", max(rounds)) % {
        "n": numbers
    }


def describe_opening(day: Day, size: int, qualified: int) -> tuple[str, bool]:
    """The final phase for that number of players, and whether the rules print this case."""
    shape = final_shape(day, size)
    if shape is None:
        return "", False
    try:
        found = plan_opening(shape, participants=count_participants(day), qualified=qualified)
    except NoShape:
        return "", False
    return case_text(found, qualified), found.is_printed


def hint_text(hint: Hint, games: Iterable[Game]) -> str:
    if hint == Hint.SHORT_NOTICE:
        return _("Less than seven days are left: BIG may be too late to announce the tournament.")
    if hint == Hint.HALF_POINTS:
        return _("With fewer than six players the tournament counts for half the points.")
    titles = ", ".join(game.name for game in event_requests.two_player_games(list(games)))
    return _("BIG homologates these games with two players at a table only: %(games)s.") % {
        "games": titles
    }


def event_status_text(event: Event, standing: EventStatus, line: WaitingLine) -> str:
    # A full event still takes people for the waiting list, and owners of a box.
    if standing != EventStatus.OPEN or len(line.seated) != event.capacity:
        return str(standing.label)
    count = len(line.waiting)
    return (
        ngettext("Full, %(n)s is waiting", "Full, %(n)s are waiting", count) % {"n": count}
        if count
        else _("Full")
    )
