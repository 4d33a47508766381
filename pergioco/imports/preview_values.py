"""The values of a preview for its page and its command."""

from collections.abc import Iterator
from typing import Any

from pergioco.imports import labels
from pergioco.imports.canonical import Note
from pergioco.imports.forms import DecisionsForm
from pergioco.imports.lineup import plan_rounds
from pergioco.imports.preview import Preview, compare_rounds
from pergioco.imports.readers.raw_files import decode, lines_of
from pergioco.imports.sources import SOURCES
from pergioco.players.models import Player
from pergioco.players.naming import name_for_staff
from pergioco.stages.facts import RoundFacts, summarize_table

LONGEST_LINE = 300


def get_preview_values(preview: Preview, form: DecisionsForm) -> dict[str, Any]:
    rounds = plan_rounds(preview.lineup, form.choices)
    differs = compare_rounds(preview.current.rounds, rounds)
    names = find_player_names(preview, form)
    lines = source_lines(preview)

    def name_all(players: tuple[int, ...]) -> str:
        return " – ".join(names.get(player, "?") for player in players)

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
            (kind, [(row, name_all(row.players)) for row in rows]) for kind, rows in differs.items()
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


def describe_note(note: Note, lines: list[str]) -> tuple[str, str]:
    """The note in words, and the source's line that it is about."""
    at = note.line - 1 if note.line else -1
    return labels.note_sentence(note), lines[at][:LONGEST_LINE] if 0 <= at < len(lines) else ""


def find_player_names(preview: Preview, form: DecisionsForm) -> dict[int, str]:
    # As the source calls them; players who are in the stage only, by their name on file.
    names = {player: nickname for nickname, player in form.players.items()}
    seats = {s.player for r in preview.current.rounds for table in r.tables for s in table.seats}
    rows = Player.objects.with_names().filter(pk__in=seats - names.keys())
    rows = rows.prefetch_related("accounts__nicknames")
    return names | {player.pk: name_for_staff(player) for player in rows}


def list_tables(
    rounds: tuple[RoundFacts, ...], names: dict[int, str]
) -> Iterator[tuple[int, list[str], str, int | None]]:
    """Round, players, sign and line in the source of each table of the stage to be."""
    for round_ in rounds:
        for table in round_.tables:
            seated = summarize_table(table)
            players = [names[player] for player in seated.players]
            yield round_.number, players, seated.sign, table.source_line
