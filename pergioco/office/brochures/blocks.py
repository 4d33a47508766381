"""The building blocks of everything printed, as plain data for `typst/style.typ`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from pergioco.players.naming import AnyPlayer, is_named, public_name

Block = dict[str, Any]
# The cells before the player, the player, the circuit, the cells after
PersonRow = tuple[Sequence[str], AnyPlayer, str, Sequence[str]]
SMALL = 7.5  # points of type, where many columns must find room


@dataclass
class People:
    """Decides who is printed by name, and counts who is left out."""

    named: set[int] = field(default_factory=set)
    named_by_big: set[int] = field(default_factory=set)  # where BIG is spoken of, as its members
    left_out: set[int] = field(default_factory=set)

    def admits(self, player: AnyPlayer, circuit: str) -> bool:
        """False after a withdrawn consent to be printed. Erased players stay as a number,
        unregistered ones as ****."""
        if is_named(player, circuit):
            (self.named if player.has_public_page else self.named_by_big).add(player.pk)
            return True
        who = player.standing
        if not who.erased and who.withdrew and not who.publication_allowed:
            self.left_out.add(player.pk)
            return False
        return True

    @staticmethod
    def note(count: int) -> list[Block]:
        sentence = ngettext(
            "%(n)s player does not stand here: the consent to print the name was withdrawn.",
            "%(n)s players do not stand here: the consent to print the name was withdrawn.",
            count,
        )
        return [note_block(sentence % {"n": count})] if count else []


@dataclass(frozen=True)
class Column:
    heading: str
    width: float = 0  # a share of the rest; zero: as wide as its contents
    is_number: bool = True

    def as_data(self) -> Block:
        return {
            "heading": self.heading,
            "width": self.width,
            "align": "right" if self.is_number else "left",
        }


def person_columns() -> list[Column]:
    return [
        Column(_("Pos.")),
        Column(_("Player"), 3, is_number=False),
        Column(_("City"), 2, is_number=False),
        Column(_("Country"), 2, is_number=False),
    ]


def person_cells(player: AnyPlayer, circuit: str) -> list[str]:
    """Name, city, country: no other personal data is ever printed."""
    if not is_named(player, circuit):
        return [public_name(player, circuit), "", ""]
    return [public_name(player, circuit), player.person.city, str(player.person.country.name)]


def table_block(
    columns: Iterable[Column],
    bands: Iterable[tuple[str, Sequence[Sequence[Any]]]],
    *,
    piece: str = "",
    size: float = 8.5,
) -> Block:
    return {
        "kind": "table",
        "piece": piece,
        "size": size,
        "columns": [column.as_data() for column in columns],
        "bands": [
            {"words": str(words), "rows": [list(row) for row in rows]} for words, rows in bands
        ],
    }


def people_blocks(
    people: People,
    columns: Iterable[Column],
    rows: Iterable[PersonRow],
    *,
    piece: str = "",
) -> list[Block]:
    """The table of those who may be printed, and how many are left out."""
    candidates = list(rows)
    shown = [
        [*before, *person_cells(player, circuit), *after]
        for before, player, circuit, after in candidates
        if people.admits(player, circuit)
    ]
    left_out = len(candidates) - len(shown)
    return [table_block(columns, [("", shown)], piece=piece), *people.note(left_out)]


def text_block(sentence: object) -> Block:
    return {"kind": "text", "text": str(sentence)}


def note_block(sentence: object) -> Block:
    return {"kind": "note", "text": str(sentence)}


def heading_block(words: object) -> Block:
    return {"kind": "heading", "text": str(words)}


def status_block(words: object, sentence: object, *, piece: str = "") -> Block:
    return {"kind": "state", "state": str(words), "text": str(sentence), "piece": piece}


def figures_block(rows: Iterable[tuple[int, object]]) -> Block:
    return {
        "kind": "figures",
        "rows": [{"shown": format_whole(number), "label": str(label)} for number, label in rows],
    }


def bars_block(
    heading_: object, unit: object, rows: Iterable[tuple[object, int]], *, piece: str = ""
) -> Block:
    shown = [
        {"label": str(label), "amount": n, "shown": format_whole(n), "piece": piece}
        for label, n in rows
    ]
    return {"kind": "bars", "heading": str(heading_), "unit": str(unit), "rows": shown}


def part_block(
    title: object, blocks: Sequence[Block], *, piece: str = "", is_wide: bool = False
) -> Block:
    return {"title": str(title), "piece": piece, "is_wide": is_wide, "blocks": list(blocks)}


def paper_data(title: str, stamp: str, day: date, **more: Any) -> dict[str, Any]:
    """The date is that of the contents, never that of the printing."""
    return {
        "title": title,
        "description": stamp,
        "author": "PerGioco",
        "language": (get_language() or "it")[:2],
        "date": [day.year, day.month, day.day],
        "stamp": stamp,
        "words": {"contents": _("Contents")},
        **more,
    }


def format_whole(number: int) -> str:
    return number_format(number, 0, use_l10n=True, force_grouping=True)
