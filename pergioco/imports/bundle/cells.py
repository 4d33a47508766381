"""The kinds of cells: how each is read from text and written as text."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django_countries import countries

SLUG = re.compile(r"[A-Za-z0-9_-]+")
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
WHOLE = re.compile(r"\d{1,9}", re.ASCII)
NUMBER = re.compile(r"-?\d{1,12}(?:\.(\d{1,12}))?", re.ASCII)
CONTROL = {"Cc", "Cs"}
NO_END = date(9999, 12, 31)  # a sanction without a last day
SINCE_EVER = date(2000, 1, 1)  # no platform is that old: a name without a known first day
COUNTRIES = frozenset(dict(countries))


class Unfit(Exception):
    """The cell does not fit; the text is the sentence for the user."""


class Undumpable(Exception):
    """The bundle cannot express it; the text says what."""


def plain_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, Decimal):  # no zeros at the end, never an exponent
        text = f"{value:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, dict):
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    return value.isoformat() if isinstance(value, date) else str(value)


@dataclass(frozen=True)
class Kind:
    """An empty cell means unknown: "" for a text, None for the rest."""

    parse: Callable[[str], Any]
    empty: Any = None
    write: Callable[[Any], str] = plain_text


def checked_cell(
    fits: Callable[[str], object],
    sentence: str,
    convert: Callable[[str], Any] = str,
    empty: Any = None,
) -> Kind:
    def parse(cell: str) -> Any:
        if not fits(cell):
            raise Unfit(sentence.format(cell if len(cell) <= 40 else f"{cell[:40]}…"))  # noqa: PLR2004 - readable
        return convert(cell)

    return Kind(parse, empty)


def text_cell(longest: int) -> Kind:
    def parse(cell: str) -> str:
        if len(cell) > longest:
            raise Unfit(f"has {len(cell)} characters; {longest} fit.")
        return check_printable(cell)

    return Kind(parse, empty="")


def check_printable(cell: str) -> str:
    if not cell.isprintable() and any(unicodedata.category(c) in CONTROL for c in cell):
        raise Unfit("holds a control character, perhaps a line break.")
    return cell


def slug(longest: int) -> Kind:
    sentence = f"“{{}}” is no name for an address: {longest} letters, digits, “-” and “_” at most."
    return checked_cell(
        lambda cell: len(cell) <= longest and SLUG.fullmatch(cell), sentence, empty=""
    )


def choice_cell(*words: str) -> Kind:
    known = {word: word for word in words}  # one object for each word, however many cells hold it
    return checked_cell(
        known.__contains__,
        f"“{{}}” is none of these: {', '.join(words)}.",
        known.__getitem__,
        empty="",
    )


def whole_cell(least: int, most: int) -> Kind:
    sentence = f"“{{}}” is not a whole number from {least} to {most}."
    return checked_cell(
        lambda cell: WHOLE.fullmatch(cell) and least <= int(cell) <= most, sentence, int
    )


def decimal_cell(
    digits: int, places: int, *, negative: bool = True, write: Callable[[Any], str] = plain_text
) -> Kind:
    # As many places as the database keeps: a number is the same however it was written.
    unit, limit = Decimal(1).scaleb(-places), Decimal(10) ** (digits - places)

    def fits(cell: str) -> bool:
        found = NUMBER.fullmatch(cell)
        return (
            found is not None
            and len((found[1] or "").rstrip("0")) <= places
            and abs(Decimal(cell)) < limit
        )

    def convert(cell: str) -> Decimal:
        if not negative and Decimal(cell) < 0:
            raise Unfit(f"“{cell}” is below zero.")
        return Decimal(cell).quantize(unit) + 0  # no minus before a zero

    sentence = f"“{{}}” is not a number with {places} decimals at most, written like 12.5."
    return Kind(lru_cache(maxsize=4096)(checked_cell(fits, sentence, convert).parse), write=write)


def is_day(cell: str) -> bool:
    try:
        return bool(DAY.fullmatch(cell) and date.fromisoformat(cell))
    except ValueError:
        return False


def is_email(cell: str) -> bool:
    try:
        validate_email(cell)
    except ValidationError:
        return False
    return True


def parse_names(cell: str) -> tuple[str, ...]:
    found = [text_cell(120).parse(name.strip()) for name in cell.split("|")]
    if "" in found or len(set(map(str.casefold, found))) < len(found):
        raise Unfit("names the same thing twice, or has an empty name between two “|”.")
    return tuple(found)


def join_names(found: Iterable[str]) -> str:
    for name in found:
        if "|" in name:
            raise Undumpable(
                f"“{name}” has a “|” in it, which separates names in a bundle. Rename it first."
            )
    return "|".join(sorted({name.casefold(): name for name in sorted(found)}.values()))


def parse_object(cell: str) -> dict[str, Any]:
    try:
        found = json.loads(cell, parse_constant=lambda word: None)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Unfit("is not a JSON object, such as {} with names and values in it.")
    return found


def if_any(value: Any) -> str:
    return plain_text(value or None)


def only_no(value: Any) -> str:
    return "" if value else "0"


def from_thousandths(number: int) -> str:
    return f"{Decimal(number).scaleb(-3):.3f}"


day = Kind(
    lru_cache(maxsize=4096)(
        checked_cell(is_day, "“{}” is not a day written like 2026-03-12.", date.fromisoformat).parse
    )
)
flag = checked_cell({"0", "1"}.__contains__, "“{}” is neither 0 nor 1.", "1".__eq__)
rare_flag = replace(flag, write=if_any)
objection = replace(flag, write=only_no)
email = checked_cell(is_email, "“{}” is not an e-mail address.", check_printable, empty="")
country = checked_cell(
    COUNTRIES.__contains__,
    "“{}” is no country code of two capital letters (ISO 3166), such as IT.",
    empty="",
)
names = Kind(parse_names, write=join_names)
json_object = Kind(parse_object)
differences = replace(json_object, write=if_any)
