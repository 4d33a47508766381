"""All sources of results by name, how stored documents are packed, and how content is
recognised."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.imports.canonical import Result, Unreadable, same_name
from pergioco.imports.readers import abstract_play, bga, json_text, spreadsheet, trf, typed
from pergioco.imports.readers.bga import TABLE, TSV_HEAD
from pergioco.imports.readers.json_text import refusing_other_shapes
from pergioco.imports.readers.playstrategy import (
    ROUND,
    Documents,
    read_arena,
    read_round_page,
    read_swiss,
)
from pergioco.imports.readers.raw_files import ZIP, decode, lines_of
from pergioco.imports.readers.spreadsheet import NEEDED, delimiter

KEY = "documents"


def pack_documents(documents: Mapping[str, bytes]) -> bytes:
    """Name -> text, in one JSON object. The same documents give the same bytes."""
    texts = {name: body.decode("utf-8", errors="replace") for name, body in documents.items()}
    return json.dumps({KEY: texts}, ensure_ascii=False, sort_keys=True, indent=0).encode()


def unpack_documents(raw: bytes) -> dict[str, bytes]:
    """The documents by name; an uploaded file is one document without a name."""
    try:
        value = json_text.parse_json(raw)
    except Unreadable:
        return {"": raw}
    texts = value.get(KEY) if isinstance(value, dict) else None
    if not isinstance(texts, dict):
        return {"": raw}
    return {str(name): str(text).encode("utf-8", errors="replace") for name, text in texts.items()}


def parse_documents(documents: Mapping[str, bytes], beginning: str) -> list[Any]:
    """All whose name begins so, in the order of their numbers."""
    names = [name for name in documents if name.startswith(beginning)]
    return [
        json_text.parse_json(documents[name])
        for name in sorted(names, key=lambda name: (len(name), name))
    ]


def read_swiss_documents(raw: bytes) -> Result:
    documents = unpack_documents(raw)
    if "" in documents:
        value = json_text.parse_json(raw)
        return read_swiss(Documents(value if isinstance(value, list) else [value]))
    info, games = parse_documents(documents, "info"), documents.get("games", b"")
    return read_swiss(
        Documents(
            parse_documents(documents, "standing-"),
            info=info[0] if info else {},
            games=json_text.parse_json_lines(games) if games else (),
            sheets=parse_documents(documents, "player-"),
        )
    )


def read_arena_documents(raw: bytes) -> Result:
    documents = unpack_documents(raw)
    results = documents.get("results", b"")
    games = json_text.parse_json_lines(documents.get("games", documents.get("", b"")))
    return read_arena(games, json_text.parse_json_lines(results) if results else ())


def read_event_documents(raw: bytes) -> Result:
    documents = unpack_documents(raw)
    if "" in documents:
        return abstract_play.read_event(json_text.parse_json(raw))
    directory = parse_documents(documents, "user_names")
    return abstract_play.read_event(
        parse_documents(documents, "event")[0], directory[0] if directory else ()
    )


def read_tournament_documents(raw: bytes) -> Result:
    documents = unpack_documents(raw)
    document = documents.get("tournament", documents.get("", b""))
    return abstract_play.read_tournament(json_text.parse_json(document))


def read_record_file(raw: bytes) -> Result:
    return abstract_play.read_records(json_text.parse_json(raw))


@dataclass(frozen=True)
class Source:
    """`version` grows when the same bytes would be read differently."""

    label: str | Promise
    read: Callable[[bytes], Result]
    version: int = 1
    is_text: bool = True  # it can be pasted


TYPED = "typed"
SOURCES: dict[str, Source] = {
    TYPED: Source(_("rounds, one game a line"), typed.read_rounds),
    "bga.page": Source(_("page of Board Game Arena, copied"), bga.read_pasted_page),
    "bga.saved": Source(_("page of Board Game Arena, saved"), bga.read_saved_page),
    "bga.tables": Source(_("list of tables of Board Game Arena"), bga.read_table_list),
    "playstrategy.round": Source(_("round page of PlayStrategy, copied"), read_round_page),
    "playstrategy.swiss": Source(_("Swiss tournament of PlayStrategy"), read_swiss_documents),
    "playstrategy.arena": Source(_("arena or games of PlayStrategy"), read_arena_documents),
    "abstractplay.tournament": Source(_("tournament of Abstract Play"), read_tournament_documents),
    "abstractplay.event": Source(_("event of Abstract Play"), read_event_documents),
    "abstractplay.records": Source(_("record file of Abstract Play"), read_record_file),
    "trf": Source(_("TRF file"), trf.read_trf),
    "csv": Source(_("table (CSV)"), spreadsheet.read_csv),
    "xlsx": Source(_("workbook (XLSX)"), spreadsheet.read_workbook, is_text=False),
}


def read_source(reader: str, raw: bytes, nicknames: Sequence[str] = ()) -> Result:
    """`nicknames` are those on file for the stage's platform: typed lines are split by them."""
    if reader not in SOURCES:
        raise Unreadable("reader_gone")
    if reader == TYPED:
        text = same_name(decode(raw)[0])
        return typed.read_rounds(raw, [name for name in nicknames if same_name(name) in text])
    return refusing_other_shapes(SOURCES[reader].read)(raw)


TRF_LINE = re.compile(r"(?:001 |012 |XXR |062 )")
HTML = re.compile(r"(?i)<(?:!doctype|html|head|body|div|!--)")
FIRST_LINES = 10  # comments may come before the first record
STANDINGS_HEADING = {"rank", "username"}


def recognise(raw: bytes, name: str = "") -> str:
    """The name of a reader in `SOURCES`; by default rounds, typed line by line."""
    if raw.startswith(ZIP):
        return "xlsx"
    text = decode(raw)[0].strip()
    if text[:1] in {"{", "["}:
        return recognise_json(raw)
    lines = [line for line in lines_of(text) if line.strip()]
    return next((reader for reader, looks in BY_TEXT if looks(lines, name.casefold())), TYPED)


def recognise_json(raw: bytes) -> str:
    try:
        value = json_text.parse_json(raw)
    except Unreadable:
        value = json_text.parse_json_lines(raw)  # one value a line
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, dict):
        raise Unreadable("unexpected_shape")
    if first.keys() >= STANDINGS_HEADING:
        raise Unreadable("standings_only")
    held = first.get(KEY)
    names = held.keys() if isinstance(held, dict) else set()
    found = [reader for reader, keys in BY_KEYS if keys <= first.keys()]
    found += [reader for name, reader in BY_DOCUMENT.items() if name in names]
    if not found:
        raise Unreadable("unexpected_shape")
    return found[0]


# A file of several documents, as the portal stores them
BY_DOCUMENT = {
    "standing-1": "playstrategy.swiss",
    "games": "playstrategy.arena",
    "event": "abstractplay.event",
    "tournament": "abstractplay.tournament",
}
BY_KEYS = [
    ("playstrategy.arena", {"id", "status", "players"}),
    ("abstractplay.tournament", {"tournament"}),
    ("abstractplay.event", {"event", "games"}),
    ("abstractplay.records", {"header", "moves"}),
    ("playstrategy.swiss", {"players"}),
]


def is_trf(lines: list[str], name: str) -> bool:
    return name.endswith((".trf", ".trfx")) or any(
        TRF_LINE.match(line) for line in lines[:FIRST_LINES]
    )


def is_saved_page(lines: list[str], _name: str) -> bool:
    return bool(lines) and HTML.match(lines[0].lstrip()) is not None


def is_round_page(lines: list[str], _name: str) -> bool:
    return any(ROUND.search(line) for line in lines) and any(
        re.match(r"#\w{8}\t", line) for line in lines
    )


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
