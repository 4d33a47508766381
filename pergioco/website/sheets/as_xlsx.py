"""A sheet as a workbook: true numbers, true days, and no text that a spreadsheet would run."""

from typing import IO

from django.utils.translation import gettext as _

from pergioco.rulekit import workbook
from pergioco.website.sheets.sheet import Column, Sheet

CONTENT_TYPE = workbook.XLSX
STAMP_WIDTH = 18


def write(sheet: Sheet, into: IO[bytes]) -> None:
    book = workbook.new_book()
    columns = [
        *(workbook.Column(column.heading, column.width, number_format(column)) for column in sheet.columns),
        workbook.Column(_("Version"), STAMP_WIDTH),
    ]
    workbook.add_table(book, sheet.title, columns, ([*row, sheet.stamp] for row in sheet.exact_rows()))
    workbook.save(book, into)


def number_format(column: Column) -> str:
    return f"0.{'0' * column.decimals}" if column.decimals else workbook.WHOLE
