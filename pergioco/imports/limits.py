"""What a file may be, before anything parses it."""

import io
import zipfile

from pergioco.imports.canonical import Unreadable

MEGABYTE = 1024 * 1024
MOST_BYTES = 2 * MEGABYTE
MOST_MEMBERS = 200
MOST_UNPACKED = 100 * MEGABYTE
MOST_RATIO = 100
MOST_ROWS = 5000


def of_any_file(raw: bytes) -> None:
    if not raw.strip():
        raise Unreadable("empty_file")
    if len(raw) > MOST_BYTES:
        raise Unreadable("file_too_big", megabytes=MOST_BYTES // MEGABYTE)


def of_zip(raw: bytes) -> None:
    """Reads the directory only: what a bomb would unpack to is known before it does."""
    try:
        members = zipfile.ZipFile(io.BytesIO(raw)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError) as broken:
        raise Unreadable("not_a_workbook") from broken
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if len(members) > MOST_MEMBERS or unpacked > MOST_UNPACKED or unpacked > MOST_RATIO * max(packed, 1):
        raise Unreadable("zip_bomb", members=len(members), megabytes=unpacked // MEGABYTE)
    if any(member.filename.casefold().endswith("vbaproject.bin") for member in members):
        raise Unreadable("workbook_with_macros")
