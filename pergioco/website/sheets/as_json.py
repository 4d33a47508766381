"""A sheet for programs: whole numbers as numbers, those with decimals as texts that lose nothing, as in the API."""

import io
import json
from datetime import date
from decimal import Decimal
from typing import IO, Any

from pergioco.website.sheets.sheet import Sheet

CONTENT_TYPE = "application/json"


def write(sheet: Sheet, into: IO[bytes]) -> None:
    text = io.TextIOWrapper(into, "utf-8", newline="\n")
    keys = [column.key for column in sheet.columns]
    columns = [{"key": column.key, "heading": str(column.heading)} for column in sheet.columns]
    head = {"title": sheet.title, "stamp": sheet.stamp, **sheet.about, "columns": columns}
    text.write(f'{dumped(head)[:-1]}, "rows": [')
    for number, row in enumerate(sheet.exact_rows()):
        text.write(",\n" if number else "\n")
        text.write(dumped(dict(zip(keys, row, strict=True))))
    text.write("\n]}\n")
    text.flush()
    text.detach()


def dumped(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, default=as_text)


def as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else f"{value:f}" if isinstance(value, Decimal) else str(value)
