"""The values of a preview for its page and its command."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pergioco.imports import labels
from pergioco.imports.canonical import Note
from pergioco.imports.forms import DecisionsForm
from pergioco.imports.lineup import plan_rounds
from pergioco.imports.preview import Difference, DifferingTable, Preview, compare_rounds
from pergioco.imports.readers.raw_files import decode, lines_of
from pergioco.imports.sources import SOURCES
from pergioco.players.models import Player
from pergioco.players.naming import name_for_staff
from pergioco.stages.facts import RoundFacts
from pergioco.stages.rules.results import sign_of

LONGEST_LINE = 300


@dataclass(frozen=True)
class NoteText:
    """A note in words, with the source's line that it is about."""

    sentence: str
    original: str = ""


@dataclass(frozen=True)
class ShownTable:
    """One table of the stage to be."""

    round: int
    players: list[str]
    sign: str
    line: int | None


@dataclass(frozen=True)
class MovedTable:
    """One table that an import adds, removes or changes."""

    round: int
    players: str
    before: str
    after: str


def get_preview_values(preview: Preview, form: DecisionsForm) -> dict[str, Any]:
    rounds = plan_rounds(preview.lineup, form.choices)
    differs = compare_rounds(preview.current.rounds, rounds)
    names = find_player_names(preview, form, differs)
    lines = source_lines(preview)
    return {
        "preview": preview,
        "source": preview.source,
        "stage": preview.stage,
        "form": form,
        "read_as": SOURCES[preview.source.reader].label,
        "counts": count_preview(preview, rounds),
        "troubles": [describe_note(note, lines) for note in preview.troubles],
        "remarks": [describe_note(note, lines) for note in preview.remarks],
        "tables": list(list_tables(rounds, names)),
        "settled": [who for who in preview.people if who.settled is not None],
        "moved": [
            (kind, [describe_move(row, names) for row in rows])
            for kind, rows in difference_kinds(differs)
            if rows
        ],
        "same": bool(preview.current.rounds) and not differs,
        "has_results": bool(preview.current.rounds),
    }


def count_preview(preview: Preview, rounds: tuple[RoundFacts, ...]) -> dict[str, int]:
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


def source_lines(preview: Preview) -> list[str]:
    is_text = SOURCES[preview.source.reader].is_text
    return lines_of(decode(bytes(preview.source.raw))[0]) if is_text else []


def describe_note(note: Note, lines: list[str]) -> NoteText:
    at = note.line - 1 if note.line else -1
    return NoteText(
        labels.note_sentence(note), lines[at][:LONGEST_LINE] if 0 <= at < len(lines) else ""
    )


def find_player_names(preview: Preview, form: DecisionsForm, differs: Difference) -> dict[int, str]:
    # As the source calls them; players who are in the stage only, by their name on file.
    names = {player: nickname for nickname, player in form.players.items()}
    others = {player for row in differs.removed for player in row.players} - names.keys()
    rows = Player.objects.with_names().filter(pk__in=others).prefetch_related("accounts__nicknames")
    return names | {player.pk: name_for_staff(player) for player in rows}


def list_tables(rounds: tuple[RoundFacts, ...], names: dict[int, str]) -> Iterator[ShownTable]:
    for round_ in rounds:
        for table in round_.tables:
            sign = sign_of(tuple((seat.outcome, seat.kind) for seat in table.seats))
            yield ShownTable(
                round_.number, [names[seat.player] for seat in table.seats], sign, table.source_line
            )


def difference_kinds(differs: Difference) -> list[tuple[str, tuple[DifferingTable, ...]]]:
    return [("added", differs.added), ("removed", differs.removed), ("changed", differs.changed)]


def describe_move(row: DifferingTable, names: dict[int, str]) -> MovedTable:
    return MovedTable(
        row.round,
        " – ".join(names.get(player, "?") for player in row.players),
        row.before,
        row.after,
    )
