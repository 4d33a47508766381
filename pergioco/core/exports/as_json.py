"""JSON as in the API: decimals are text, so that they lose nothing."""

import io
import json
from datetime import date
from decimal import Decimal
from typing import IO, Any

from pergioco.core.exports.sheet import Sheet

CONTENT_TYPE = "application/json"


def write_json(sheet: Sheet[Any], into: IO[bytes]) -> None:
    text = io.TextIOWrapper(into, "utf-8", newline="\n")
    keys = [column.key for column in sheet.columns]
    columns = [{"key": column.key, "heading": str(column.heading)} for column in sheet.columns]
    head = {"title": sheet.title, "stamp": sheet.stamp, **sheet.about, "columns": columns}
    text.write(f'{dump_json(head)[:-1]}, "rows": [')
    for number, row in enumerate(sheet.exact_rows()):
        text.write(",\n" if number else "\n")
        text.write(dump_json(dict(zip(keys, row, strict=True))))
    text.write("\n]}\n")
    text.flush()
    text.detach()


def dump_json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, default=plain_json_value)


def plain_json_value(value: object) -> str:
    return (
        value.isoformat()
        if isinstance(value, date)
        else f"{value:f}"
        if isinstance(value, Decimal)
        else str(value)
    )
