"""A sheet as CSV, as spreadsheets of the reader's language expect it."""

import csv
import io
from datetime import date
from typing import IO

from django.utils.formats import get_format, number_format
from django.utils.translation import gettext as _

from pergioco.rulekit.cells import safe_cell
from pergioco.website.sheets.sheet import Column, Sheet, Value

CONTENT_TYPE = "text/csv; charset=utf-8"


def write(sheet: Sheet, into: IO[bytes]) -> None:
    text = io.TextIOWrapper(into, "utf-8-sig", newline="")
    # Where the decimals have a comma, the columns have a semicolon.
    written = csv.writer(text, delimiter=";" if get_format("DECIMAL_SEPARATOR") == "," else ",")
    written.writerow([*(safe_cell(column.heading) for column in sheet.columns), _("Version")])
    for row in sheet.exact_rows():
        cells = (plain(column, value) for column, value in zip(sheet.columns, row, strict=True))
        written.writerow([*cells, sheet.stamp])
    text.flush()
    text.detach()


def plain(column: Column, value: Value) -> str:
    """Days as year-month-day, numbers without anything between their thousands."""
    if value is None:
        return ""
    if isinstance(value, str):
        return safe_cell(value)
    return value.isoformat() if isinstance(value, date) else number_format(value, column.decimals)
