"""CSV in the reader's language, safe against formulas."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import chain
from typing import IO, Any

from django.utils.formats import get_format, number_format
from django.utils.translation import gettext as _

from pergioco.core.exports.sheet import Sheet
from pergioco.rulekit.text import safe_cell

CONTENT_TYPE = "text/csv; charset=utf-8"


def write_csv(sheet: Sheet[Any], into: IO[bytes]) -> None:
    headings = [*(str(column.heading) for column in sheet.columns), _("Version")]
    rows = ([*row, sheet.stamp] for row in sheet.exact_rows())
    # Where the decimals have a comma, the columns have a semicolon
    delimiter = ";" if get_format("DECIMAL_SEPARATOR") == "," else ","
    write_csv_rows(
        chain([headings], rows),
        into,
        delimiter=delimiter,
        decimals=[c.decimals for c in sheet.columns],
    )


def write_csv_rows(
    rows: Iterable[Sequence[Any]],
    into: IO[bytes],
    *,
    delimiter: str = ",",
    decimals: Sequence[int | None] = (),
) -> None:
    """Starts with a byte order mark for spreadsheets. `decimals` of the first columns: their
    numbers are localized, without thousands separators."""
    text = io.TextIOWrapper(into, "utf-8-sig", newline="")
    written = csv.writer(text, delimiter=delimiter)
    for row in rows:
        written.writerow([csv_cell(value, at, decimals) for at, value in enumerate(row)])
    text.flush()
    text.detach()


def csv_cell(value: Any, at: int, decimals: Sequence[int | None]) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return safe_cell(value)
    if isinstance(value, date):
        return value.isoformat()
    return number_format(value, decimals[at]) if at < len(decimals) else str(value)
