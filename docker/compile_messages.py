"""Turns catalogues (.po) into what Django reads (.mo), so that nobody needs GNU gettext to run the
portal."""

import ast
import struct
import sys
from pathlib import Path

MAGIC = 0x950412DE
HEADER_BYTES = 28
KEYWORDS = ("msgctxt", "msgid_plural", "msgid", "msgstr")
Entry = dict[str, str]


def entries_of(text: str) -> list[Entry]:
    """Keyword (`msgstr[1]` included) -> text. What is untranslated, fuzzy or obsolete is left out,
    as msgfmt does."""
    entries = [entry for block in text.split("\n\n") if (entry := entry_of(block.splitlines()))]
    return [entry for entry in entries if entry.get("msgstr") or entry.get("msgstr[0]")]


def entry_of(lines: list[str]) -> Entry:
    entry: Entry = {}
    keyword = ""
    is_fuzzy = any(line.startswith("#,") and "fuzzy" in line for line in lines)
    for line in lines:
        if line.startswith(KEYWORDS):
            keyword, _, line = line.partition(" ")  # noqa: PLW2901 - the rest of the line is its first string
        if line.startswith('"'):
            entry[keyword] = entry.get(keyword, "") + ast.literal_eval(line)
    return {} if is_fuzzy and entry.get("msgid") else entry


def key_of(entry: Entry) -> bytes:
    context = f"{entry['msgctxt']}\x04" if "msgctxt" in entry else ""
    plural = f"\0{entry['msgid_plural']}" if "msgid_plural" in entry else ""
    return f"{context}{entry['msgid']}{plural}".encode()


def value_of(entry: Entry) -> bytes:
    return "\0".join(
        text for keyword, text in entry.items() if keyword.startswith("msgstr")
    ).encode()


def compiled(text: str) -> bytes:
    """The layout of GNU gettext's .mo: header, table of originals, table of translations, then the
    strings."""
    pairs = sorted((key_of(entry), value_of(entry)) for entry in entries_of(text))
    start = HEADER_BYTES + 16 * len(pairs)
    tables, strings = b"", b""
    for column in (0, 1):
        for pair in pairs:
            tables += struct.pack("<II", len(pair[column]), start + len(strings))
            strings += pair[column] + b"\0"
    header = struct.pack(
        "<7I", MAGIC, 0, len(pairs), HEADER_BYTES, HEADER_BYTES + 8 * len(pairs), 0, start
    )
    return header + tables + strings


if __name__ == "__main__":
    for name in sys.argv[1:]:
        source = Path(name)
        source.with_suffix(".mo").write_bytes(compiled(source.read_text(encoding="utf-8")))
