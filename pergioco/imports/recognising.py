"""What is this? Told by the content; the name of the file only decides where the content could be either."""

import re
from collections.abc import Callable
from typing import Any

from pergioco.imports.canonical import Unreadable
from pergioco.imports.readers import json_text
from pergioco.imports.readers.bga import TABLE, TSV_HEAD
from pergioco.imports.readers.playstrategy_page import ROUND
from pergioco.imports.readers.spreadsheet import NEEDED, delimiter
from pergioco.imports.readers.text import decode, lines_of
from pergioco.imports.sources import TYPED

ZIP = b"PK\x03\x04"
TRF_LINE = re.compile(r"(?:001 |012 |XXR |062 )")
HTML = re.compile(r"(?i)<(?:!doctype|html|head|body|div|!--)")
FIRST_LINES = 10  # comments may stand above the first record
STANDINGS_HEADING = {"rank", "username"}


def recognise(raw: bytes, name: str = "") -> str:
    """The name of a reader in `sources`. What looks like nothing else is rounds, typed line by line."""
    if raw.startswith(ZIP):
        return "xlsx"
    text = decode(raw)[0].strip()
    if text[:1] in {"{", "["}:
        return of_json(raw)
    lines = [line for line in lines_of(text) if line.strip()]
    return next((reader for reader, looks in BY_TEXT if looks(lines, name.casefold())), TYPED)


def of_json(raw: bytes) -> str:
    try:
        value = json_text.parse(raw)
    except Unreadable:
        value = json_text.parse_lines(raw)  # one value a line
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, dict):
        raise Unreadable("unexpected_shape")
    if {"rank", "username"} <= first.keys():
        raise Unreadable("standings_only")
    return next((reader for reader, keys in BY_KEYS if keys <= first.keys()), "") or of_documents(first)


def of_documents(value: dict[str, Any]) -> str:
    """A file of several documents, as the portal itself keeps them."""
    held = value.get("documents")
    names: set[str] = set(held) if isinstance(held, dict) else set()
    found = {"games": "playstrategy.arena", "event": "abstractplay.event", "tournament": "abstractplay.tournament"}
    if "standing-1" in names:
        return "playstrategy.swiss"
    for name, reader in found.items():
        if name in names:
            return reader
    raise Unreadable("unexpected_shape")


BY_KEYS = [
    ("playstrategy.arena", {"id", "status", "players"}),
    ("abstractplay.tournament", {"tournament"}),
    ("abstractplay.event", {"event", "games"}),
    ("abstractplay.records", {"header", "moves"}),
    ("playstrategy.swiss", {"players"}),
]


def is_trf(lines: list[str], name: str) -> bool:
    return name.endswith((".trf", ".trfx")) or any(TRF_LINE.match(line) for line in lines[:FIRST_LINES])


def is_saved_page(lines: list[str], _name: str) -> bool:
    return bool(lines) and HTML.match(lines[0].lstrip()) is not None


def is_round_page(lines: list[str], _name: str) -> bool:
    return any(ROUND.search(line) for line in lines) and any(re.match(r"#\w{8}\t", line) for line in lines)


def is_table_list(lines: list[str], _name: str) -> bool:
    first = lines[0].split("\t") if lines else []
    return len(first) >= TSV_HEAD and first[0].isdigit()


def is_table(lines: list[str], _name: str) -> bool:
    heading = lines[0] if lines else ""
    names = {cell.strip().strip('"').casefold() for cell in heading.split(delimiter(heading))}
    if names >= STANDINGS_HEADING:
        raise Unreadable("standings_only")
    return len(names & NEEDED) > 1


def is_copied_page(lines: list[str], _name: str) -> bool:
    return any(TABLE.fullmatch(line.strip()) for line in lines)


BY_TEXT: list[tuple[str, Callable[[list[str], str], bool]]] = [
    ("trf", is_trf),
    ("bga.saved", is_saved_page),
    ("playstrategy.round", is_round_page),
    ("bga.tables", is_table_list),
    ("csv", is_table),
    ("bga.page", is_copied_page),
]
