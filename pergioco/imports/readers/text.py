"""Bytes to text, as files from other people's computers need it."""

import re

from pergioco.imports.canonical import Unreadable

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
    """Numbered from 1 by their place; LF, CRLF and CR alone all end a line."""
    return LINE_ENDS.split(text)
