"""Query parameters. Each is declared once, as the schema shows it; what its schema does not allow
is refused, and so is what no view declares."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from django.http import QueryDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

INTEGER, DAY = re.compile(r"[0-9]{1,9}"), re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
Query = Mapping[str, Any]


@dataclass(frozen=True)
class Parameter:
    name: str
    schema: Mapping[str, Any]
    wrong: str  # ends the sentence of a refusal
    description: str = ""
    example: object = None
    location: Literal["query", "path"] = "query"

    def describe(self) -> OpenApiParameter:
        schema = {**self.schema, **({} if self.example is None else {"example": self.example})}
        return OpenApiParameter(
            self.name,
            schema,
            self.location,
            required=self.location == "path",
            description=self.description,
        )

    def read(self, text: str) -> Any:
        """The value; ValueError if the schema does not allow it."""
        if self.schema["type"] == "integer":
            return self.read_integer(text)
        if self.schema.get("format") == "date":
            return date.fromisoformat(match(DAY, text))
        if text not in self.schema.get("enum", [text]):
            raise ValueError
        if not self.schema.get("minLength", 0) <= len(text) <= self.schema.get("maxLength", 200):
            raise ValueError
        return match(re.compile(self.schema.get("pattern", "")), text)

    def read_integer(self, text: str) -> int:
        number = int(match(INTEGER, text))
        if not self.schema["minimum"] <= number <= self.schema["maximum"]:
            raise ValueError
        return number


def match(pattern: re.Pattern[str], text: str) -> str:
    # An anchored pattern would let a line break at the end through
    if not (pattern.fullmatch(text) or not pattern.pattern):
        raise ValueError
    return text


def read_query(given: QueryDict, declared: Sequence[Parameter]) -> Query:
    """The values by name; without those that were not given."""
    known = {one.name: one for one in declared}
    values: dict[str, Any] = {}
    wrong: dict[str, list[str]] = {}
    for name, texts in given.lists():
        try:
            values[name] = read_once(known, name, texts)
        except ValidationError as problem:
            wrong[name] = [str(problem.detail[0])]  # type: ignore[index]
    if wrong:
        raise ValidationError(wrong)
    return values


def read_once(known: Mapping[str, Parameter], name: str, texts: Sequence[object]) -> Any:
    if name not in known:
        there = f"Those of this address: {', '.join(known)}." if known else "There are none here."
        raise ValidationError(f"No parameter is called so. {there}")
    if len(texts) > 1:
        raise ValidationError("It is given more than once.")
    text = str(texts[0])
    try:
        return known[name].read(text)
    except ValueError as wrong:
        raise ValidationError(f"“{text}” is {known[name].wrong}.") from wrong


def whole_number(name: str, least: int, most: int, what: str = "", **more: Any) -> Parameter:
    schema = {"type": "integer", "minimum": least, "maximum": most}
    return Parameter(name, schema, what or f"no number from {least} to {most}", **more)


def one_of(name: str, values: Sequence[str], **more: Any) -> Parameter:
    schema = {"type": "string", "enum": list(values)}
    return Parameter(name, schema, f"not known. Use one of: {', '.join(values)}", **more)


def slug(name: str, description: str, **more: Any) -> Parameter:
    schema = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "minLength": 1, "maxLength": 80}
    return Parameter(name, schema, "no slug: letters, digits and hyphens", description, **more)


PAGES: tuple[Parameter, ...] = (
    whole_number("page", 1, 1_000_000, description="Which page of the list.", example=1),
    whole_number("page_size", 1, 500, description="Lines of a page; 100 without it.", example=20),
)
SEARCH = (
    Parameter(
        "search",
        {"type": "string", "maxLength": 100, "pattern": "^[^\\u0000-\\u001f\\u007f]*$"},
        "too long, or not only text",
        "Part of a name; accents and case do not matter.",
        "rossi",
    ),
    Parameter(
        "country",
        {"type": "string", "pattern": "^[A-Za-z]{2}$"},
        "no country. Write it with two letters, as IT",
        "ISO 3166-1 alpha-2",
        "IT",
    ),
)
AT = Parameter(
    "at",
    {"type": "string", "format": "date"},
    "no day. Write it as 2026-03-31",
    "What was public at the end of this day, or computed as of it.",
    "2026-03-31",
)
YEAR = whole_number(*("year", 0, 9999), description="The season.", example=2026, location="path")
