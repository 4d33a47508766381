"""A table for pages and files: its columns, and how each gets its value from a row."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_DOWN, Decimal
from functools import lru_cache
from operator import attrgetter
from typing import Any, Generic, TypeVar

from django.utils.formats import date_format
from django.utils.functional import Promise

from pergioco.core.formats import format_number
from pergioco.rulekit.text import tidy

Value = str | int | Decimal | date | None
T = TypeVar("T")
Other = TypeVar("Other")


@dataclass(frozen=True)
class Column(Generic[T]):
    """Without a getter, the value is the row's attribute named like the key."""

    key: str = ""  # for programs, in every language
    heading: str | Promise = ""
    value: Callable[[T], Any] | None = None
    decimals: int | None = 0  # None: no numbers
    width: int = 12  # in characters, for spreadsheets
    is_grouped: bool = False  # thousands separators on the page

    def value_of(self, row: T) -> Value:
        found: Value = (self.value or attrgetter(self.key))(row)
        return found

    def of(self, get: Callable[[Other], T]) -> "Column[Other]":
        """The same column for rows that contain such a row."""
        return Column(
            self.key,
            self.heading,
            lambda row: self.value_of(get(row)),
            self.decimals,
            self.width,
            self.is_grouped,
        )

    def exact(self, row: T) -> Value:
        """Numbers cut to the decimals of the column, never rounded; text without invisible
        characters."""
        value = self.value_of(row)
        if isinstance(value, str):
            return tidy(value)
        if isinstance(value, int | Decimal):
            cut = Decimal(value).quantize(Decimal(1).scaleb(-(self.decimals or 0)), ROUND_DOWN)
            return cut if self.decimals else int(cut)
        return value

    def shown(self, row: T, language: str) -> str:
        value = self.value_of(row)
        if value is None or isinstance(value, str):
            return value or ""
        if isinstance(value, date):
            return format_day(value, language)
        return format_number(value, self.decimals, is_grouped=self.is_grouped)


@lru_cache(maxsize=2_000)
def format_day(day: date, _language: str) -> str:
    # Cached: the same few days appear in hundreds of rows
    return date_format(day, "SHORT_DATE_FORMAT")


@dataclass(frozen=True)
class Sheet(Generic[T]):
    file: str  # without extension
    title: str
    stamp: str  # the version of its numbers, repeated in each row so that it survives copying
    columns: Sequence[Column[T]]
    rows: Iterable[T]  # read once, so a generator is fine
    about: Mapping[str, object] = field(default_factory=dict)  # metadata for programs

    def exact_rows(self) -> Iterable[list[Value]]:
        for row in self.rows:
            yield [column.exact(row) for column in self.columns]

    def in_memory(self) -> "Sheet[T]":
        return replace(self, rows=list(self.rows))
