"""What may stand in a cell: one parser for each kind, with a sentence for whatever else stands there."""

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
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
COUNTRIES = frozenset(dict(countries))


class Unfit(Exception):
    """The cell holds something else; the text is the sentence for whoever made the file."""


@dataclass(frozen=True)
class Column:
    """How the cells of one column are read. An empty one is unknown: "" for a text, None for the rest."""

    parse: Callable[[str], Any]
    needed: bool = False
    empty: Any = None


def needed(column: Column) -> Column:
    return Column(column.parse, needed=True)


def text(longest: int) -> Column:
    def parse(cell: str) -> str:
        if len(cell) > longest:
            raise Unfit(f"has {len(cell)} characters; {longest} fit.")
        return printable(cell)

    return Column(parse, empty="")


def printable(cell: str) -> str:
    if not cell.isprintable() and any(unicodedata.category(c) in CONTROL for c in cell):
        raise Unfit("holds a control character, perhaps a line break.")
    return cell


def slug(longest: int) -> Column:
    def parse(cell: str) -> str:
        if len(cell) > longest or not SLUG.fullmatch(cell):
            raise Unfit(f"“{short(cell)}” is no name for an address: {longest} letters, digits, “-” and “_” at most.")
        return cell

    return Column(parse, empty="")


def one_of(*words: str) -> Column:
    known = {word: word for word in words}

    def parse(cell: str) -> str:
        if cell not in known:
            raise Unfit(f"“{short(cell)}” is none of these: {', '.join(words)}.")
        return known[cell]

    return Column(parse, empty="")


def whole(least: int, most: int) -> Column:
    def parse(cell: str) -> int:
        if not WHOLE.fullmatch(cell) or not least <= int(cell) <= most:
            raise Unfit(f"“{short(cell)}” is not a whole number from {least} to {most}.")
        return int(cell)

    return Column(parse)


def decimal(*, digits: int, places: int, negative: bool = True) -> Column:
    """With as many places as the database keeps, so that a number is the same however it was written."""
    unit = Decimal(1).scaleb(-places)
    limit = Decimal(10) ** (digits - places)

    @lru_cache(maxsize=4096)
    def parse(cell: str) -> Decimal:
        found = NUMBER.fullmatch(cell)
        if not found or len((found[1] or "").rstrip("0")) > places or abs(Decimal(cell)) >= limit:
            raise Unfit(f"“{short(cell)}” is not a number with {places} decimals at most, written like 12.5.")
        if not negative and Decimal(cell) < 0:
            raise Unfit(f"“{short(cell)}” is below zero.")
        return Decimal(cell).quantize(unit) + 0  # no minus before a zero

    return Column(parse)


@lru_cache(maxsize=4096)
def parse_day(cell: str) -> date:
    try:
        found = date.fromisoformat(cell) if DAY.fullmatch(cell) else None
    except ValueError:
        found = None
    if found is None:
        raise Unfit(f"“{short(cell)}” is not a day written like 2026-03-12.")
    return found


def parse_flag(cell: str) -> bool:
    if cell not in {"0", "1"}:
        raise Unfit(f"“{short(cell)}” is neither 0 nor 1.")
    return cell == "1"


def parse_email(cell: str) -> str:
    try:
        validate_email(cell)
    except ValidationError as wrong:
        raise Unfit(f"“{short(cell)}” is not an e-mail address.") from wrong
    return printable(cell)


def parse_country(cell: str) -> str:
    if cell not in COUNTRIES:
        raise Unfit(f"“{short(cell)}” is no country code of two capital letters (ISO 3166), such as IT.")
    return cell


def parse_names(cell: str) -> tuple[str, ...]:
    """Joined by “|”; the order is not kept."""
    names = [text(120).parse(name.strip()) for name in cell.split("|")]
    if "" in names or len(set(map(str.casefold, names))) < len(names):
        raise Unfit("names the same thing twice, or has an empty name between two “|”.")
    return tuple(names)


def parse_object(cell: str) -> dict[str, Any]:
    try:
        found = json.loads(cell, parse_constant=lambda word: None)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Unfit("is not a JSON object, such as {} with names and values in it.")
    return found


def short(cell: str) -> str:
    return cell if len(cell) <= 40 else f"{cell[:40]}…"  # noqa: PLR2004 - a sentence stays readable


day = Column(parse_day)
flag = Column(parse_flag)
email = Column(parse_email, empty="")
country = Column(parse_country, empty="")
names = Column(parse_names)
json_object = Column(parse_object)
