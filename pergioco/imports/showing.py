"""A preview as values for its page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pergioco.imports import words
from pergioco.imports.canonical import Note
from pergioco.imports.decisions import DecisionsForm
from pergioco.imports.differing import Difference, Row, difference
from pergioco.imports.planning import plan
from pergioco.imports.preview import Preview
from pergioco.imports.readers.text import decode, lines_of
from pergioco.imports.sources import SOURCES
from pergioco.players.models import Player
from pergioco.players.naming import name_for_staff
from pergioco.stages.facts import RoundFacts
from pergioco.stages.rules.results import sign_of

LONGEST_LINE = 300


@dataclass(frozen=True)
class Said:
    """A note in words, with the line of the source that it is about."""

    sentence: str
    original: str = ""


@dataclass(frozen=True)
class Shown:
    """One table, as it will stand."""

    round: int
    players: list[str]
    sign: str
    line: int | None


@dataclass(frozen=True)
class Moved:
    """One table that an import adds, removes or changes."""

    round: int
    players: str
    before: str
    after: str


def values_of(preview: Preview, form: DecisionsForm) -> dict[str, Any]:
    rounds = plan(preview.lineup, form.choices)
    differs = difference(preview.stands.rounds, rounds)
    names = names_in(preview, form, differs)
    lines = lines_in(preview)
    return {
        "preview": preview,
        "source": preview.source,
        "stage": preview.stage,
        "form": form,
        "read_as": SOURCES[preview.source.reader].label,
        "counts": counts(preview, rounds),
        "troubles": [said(note, lines) for note in preview.troubles],
        "remarks": [said(note, lines) for note in preview.remarks],
        "tables": list(shown(rounds, names)),
        "settled": [who for who in preview.people if who.settled is not None],
        "moved": [(kind, [moved(row, names) for row in rows]) for kind, rows in kinds_of(differs) if rows],
        "same": bool(preview.stands.rounds) and not differs,
        "has_results": bool(preview.stands.rounds),
    }


def counts(preview: Preview, rounds: tuple[RoundFacts, ...]) -> dict[str, int]:
    lineup = preview.lineup
    return {
        "rounds": len(rounds),
        "games": len(lineup.placed),
        "byes": sum(idle.is_bye for idle in lineup.idle),
        "absences": len(preview.result.absences),
        "players": len(lineup.seen),
        "matched": sum(who.settled is not None for who in preview.people),
        "asked": sum(who.settled is None for who in preview.people),
    }


def lines_in(preview: Preview) -> list[str]:
    """The original text, where the source is one."""
    is_text = SOURCES[preview.source.reader].is_text
    return lines_of(decode(bytes(preview.source.raw))[0]) if is_text else []


def said(note: Note, lines: list[str]) -> Said:
    at = note.line - 1 if note.line else -1
    return Said(words.say(note), lines[at][:LONGEST_LINE] if 0 <= at < len(lines) else "")


def names_in(preview: Preview, form: DecisionsForm, differs: Difference) -> dict[int, str]:
    """As the source calls them; who is in the stage and not in the source, by the name on file."""
    names = {player: nickname for nickname, player in form.players.items()}
    others = {player for row in differs.removed for player in row.players} - names.keys()
    rows = Player.objects.with_names().filter(pk__in=others).prefetch_related("accounts__nicknames")
    return names | {player.pk: name_for_staff(player) for player in rows}


def shown(rounds: tuple[RoundFacts, ...], names: dict[int, str]) -> Iterator[Shown]:
    for round_ in rounds:
        for table in round_.tables:
            sign = sign_of(tuple((seat.outcome, seat.kind) for seat in table.seats))
            yield Shown(round_.number, [names[seat.player] for seat in table.seats], sign, table.source_line)


def kinds_of(differs: Difference) -> list[tuple[str, tuple[Row, ...]]]:
    return [("added", differs.added), ("removed", differs.removed), ("changed", differs.changed)]


def moved(row: Row, names: dict[int, str]) -> Moved:
    return Moved(row.round, " – ".join(names.get(player, "?") for player in row.players), row.before, row.after)
