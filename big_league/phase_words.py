"""Rounds and final phases of a game in words, row by row as the regulation prints them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from big_league.models import GameSheet
from big_league.rules.phase_tables import NO_END, Edition, Rounds, Row
from big_league.rules.phases import Opening, kind_of, opening

USUAL_TABLE = 4  # where the regulation recommends no number


@dataclass(frozen=True)
class Line:
    players: str
    rounds: str
    cases: tuple[str, ...] = ()


def span(row: Rounds | Row) -> str:
    """6, 7–8, 33+"""
    if row.most == NO_END:
        return f"{row.least}+"
    return str(row.least) if row.least == row.most else f"{row.least}–{row.most}"


def rounds(sheet: GameSheet, edition: Edition) -> list[Line]:
    """How many rounds a tournament should have at least; none for the final of several games, which has its own."""
    if sheet.final_format == GameSheet.FinalFormat.HARDCORE:
        return []
    kind = kind_of(sheet.recommended or USUAL_TABLE)
    return [Line(span(row), rounds_of(row, sheet.extra_rounds)) for row in edition.rounds[kind]]


def rounds_of(row: Rounds, extra: int) -> str:
    enough = row.rounds + extra
    if not row.before_final:
        return str(enough)
    return _("%(rounds)s, or %(fewer)s and a final") % {"rounds": enough, "fewer": row.before_final + extra}


def final(sheet: GameSheet, edition: Edition) -> list[Line]:
    """None where the format is told before each final."""
    shape = next((shape for code, shape in edition.finals.items() if code == sheet.final_format), None)
    if shape is None:
        return []
    return [
        Line(
            span(row),
            " / ".join(map(str, row.rounds)),
            tuple(
                case(opening(shape, participants=row.least, qualified=qualified), qualified)
                for qualified in row.qualified
            ),
        )
        for row in shape.rows
    ]


def case(begins: Opening, qualified: int) -> str:
    """One number of qualified players, and what they play."""
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
