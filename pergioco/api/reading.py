"""What a caller asked for in the address; what makes no sense is answered in a sentence, with 400."""

from collections.abc import Mapping, Sequence
from datetime import date

from rest_framework.exceptions import ValidationError


def whole_number(asked: Mapping[str, str], name: str) -> int | None:
    text = asked.get(name, "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > len("9999"):
        raise ValidationError({name: [f"“{text}” is no year."]})
    return int(text)


def choice(asked: Mapping[str, str], name: str, known: Sequence[str]) -> str:
    text = asked.get(name, "")
    if text and text not in known:
        raise ValidationError({name: [f"“{text}” is not known. Use one of: {', '.join(known)}."]})
    return text


def day(asked: Mapping[str, str], name: str) -> date | None:
    text = asked.get(name, "")
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as wrong:
        raise ValidationError({name: [f"“{text}” is no day. Write it as 2026-03-31."]}) from wrong
