"""Limits for files from outside, and their bytes as text, lines and numbers."""

import io
import re
import zipfile
from decimal import Decimal, InvalidOperation
from pathlib import PurePath

from pergioco.imports.canonical import Unreadable

MEGABYTE = 1024 * 1024
MOST_BYTES = 2 * MEGABYTE
MOST_MEMBERS = 200
MOST_UNPACKED = 100 * MEGABYTE
MOST_RATIO = 100
MOST_ROWS = 5000


def check_file(raw: bytes) -> None:
    if not raw.strip():
        raise Unreadable("empty_file")
    if len(raw) > MOST_BYTES:
        raise Unreadable("file_too_big", megabytes=MOST_BYTES // MEGABYTE)


ZIP = b"PK\x03\x04"
WORKBOOK = ".xlsx"
TEXTS = (".csv", ".htm", ".html", ".json", ".jsonl", ".ndjson", ".trf", ".trfx", ".tsv", ".txt")


def check_name(name: str, raw: bytes) -> None:
    """A name may lack its ending; one that is there fits what the file holds."""
    ending = PurePath(name).suffix.casefold()
    if ending and (ending == WORKBOOK) != raw.startswith(ZIP):
        raise Unreadable("not_a_workbook")
    if ending and ending not in (WORKBOOK, *TEXTS):
        raise Unreadable("unexpected_ending", endings=(WORKBOOK, *TEXTS))


def check_zip(raw: bytes) -> None:
    # Reads the directory only: the unpacked size is known before anything is unpacked.
    try:
        members = zipfile.ZipFile(io.BytesIO(raw)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError) as broken:
        raise Unreadable("not_a_workbook") from broken
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if (
        len(members) > MOST_MEMBERS
        or unpacked > MOST_UNPACKED
        or unpacked > MOST_RATIO * max(packed, 1)
    ):
        raise Unreadable("zip_bomb", members=len(members), megabytes=unpacked // MEGABYTE)
    if any(member.filename.casefold().endswith("vbaproject.bin") for member in members):
        raise Unreadable("workbook_with_macros")


LINE_ENDS = re.compile(r"\r\n|\n|\r")


def decode(raw: bytes) -> tuple[str, bool]:
    """The text, and whether it was UTF-8; older programs write the Windows code page."""
    if b"\x00" in raw:
        raise Unreadable("not_text")
    try:
        return raw.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace"), False


def lines_of(text: str) -> list[str]:
    """LF, CRLF and CR alone all end a line."""
    return LINE_ENDS.split(text)


MOST_DIGITS = 30


def exact_decimal(text: str) -> Decimal | None:
    """None if it is no number, or absurdly large: writing out 1e999999999 takes hours."""
    try:
        value = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) <= MOST_DIGITS else None
