"""Several documents of one stage, kept together: what was fetched is one file, read again at any time."""

import json
from collections.abc import Mapping
from typing import Any

from pergioco.imports.canonical import Result, Unreadable
from pergioco.imports.readers import abstract_play, json_text
from pergioco.imports.readers.playstrategy import Documents, read_swiss
from pergioco.imports.readers.playstrategy_arena import read_arena

KEY = "documents"


def pack(documents: Mapping[str, bytes]) -> bytes:
    """Name -> text, in one JSON object. The same documents give the same bytes."""
    texts = {name: body.decode("utf-8", errors="replace") for name, body in documents.items()}
    return json.dumps({KEY: texts}, ensure_ascii=False, sort_keys=True, indent=0).encode()


def unpack(raw: bytes) -> dict[str, bytes]:
    """The documents by name; a file that was uploaded is one document without a name."""
    try:
        value = json_text.parse(raw)
    except Unreadable:
        return {"": raw}
    texts = value.get(KEY) if isinstance(value, dict) else None
    if not isinstance(texts, dict):
        return {"": raw}
    return {str(name): str(text).encode("utf-8", errors="replace") for name, text in texts.items()}


def named(documents: Mapping[str, bytes], beginning: str) -> list[Any]:
    """All whose name begins so, in the order of their numbers."""
    names = [name for name in documents if name.startswith(beginning)]
    return [json_text.parse(documents[name]) for name in sorted(names, key=lambda name: (len(name), name))]


def swiss(raw: bytes) -> Result:
    documents = unpack(raw)
    if "" in documents:
        value = json_text.parse(raw)
        return read_swiss(Documents(value if isinstance(value, list) else [value]))
    info, games = named(documents, "info"), documents.get("games", b"")
    return read_swiss(
        Documents(
            named(documents, "standing-"),
            info=info[0] if info else {},
            games=json_text.parse_lines(games) if games else (),
            sheets=named(documents, "player-"),
        )
    )


def arena(raw: bytes) -> Result:
    documents = unpack(raw)
    results = documents.get("results", b"")
    games = json_text.parse_lines(documents.get("games", documents.get("", b"")))
    return read_arena(games, json_text.parse_lines(results) if results else ())


def event(raw: bytes) -> Result:
    documents = unpack(raw)
    if "" in documents:
        return abstract_play.read_event(json_text.parse(raw))
    directory = named(documents, "user_names")
    return abstract_play.read_event(named(documents, "event")[0], directory[0] if directory else ())


def tournament(raw: bytes) -> Result:
    documents = unpack(raw)
    return abstract_play.read_tournament(json_text.parse(documents.get("tournament", documents.get("", b""))))
