"""XLSX with real numbers and dates; only our own formulas run."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.http import HttpResponse
from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.writer.excel import ExcelWriter

from pergioco.core.exports.sheet import Column, Sheet
from pergioco.rulekit.text import safe_cell, tidy

XLSX = CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PLAIN_FORMAT, WHOLE_FORMAT, DAY_FORMAT = "General", "0", "yyyy-mm-dd"
STAMP_WIDTH = 18
FORBIDDEN_IN_TITLES = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
LONGEST_TITLE = 31
EXPLANATION_WIDTH = 100
IN_MEMORY = 1_000_000  # bytes; larger ones use a temporary file
LONG_AGO = datetime(2000, 1, 1)  # noqa: DTZ001 - fixed, so that the same content gives the same bytes


@dataclass(frozen=True)
class Formula:
    """Starts with “=”. Never built from user input."""

    text: str


Value = str | int | Decimal | date | Formula | None
Rows = Iterable[Sequence[Value]]


def write_xlsx(sheet: Sheet[Any], into: IO[bytes]) -> None:
    book = new_book()
    columns = [
        *sheet.columns,
        Column[Any]("version", _("Version"), decimals=None, width=STAMP_WIDTH),
    ]
    add_table(book, sheet.title, columns, ([*row, sheet.stamp] for row in sheet.exact_rows()))
    save_workbook(book, into)


def cell_format(column: Column[Any]) -> str:
    if column.decimals is None:
        return PLAIN_FORMAT
    return f"0.{'0' * column.decimals}" if column.decimals else WHOLE_FORMAT


def sheet_title(text: str) -> str:
    # Spreadsheets forbid some characters and titles over 31 characters
    return tidy(text.translate(FORBIDDEN_IN_TITLES))[:LONGEST_TITLE]


def cell_range(sheet: str, cells: str) -> str:
    """“'Games'!$A$2:$A$9”, for formulas in another sheet."""
    return f"{quote_sheetname(sheet_title(sheet))}!{cells}"


def new_book() -> Workbook:
    book = Workbook(write_only=True)
    book.calculation.fullCalcOnLoad = True  # no results are stored
    return book


def add_explanation(book: Workbook, name: str, lines: Iterable[str]) -> None:
    """Sentences, one a row; the first one is the headline."""
    sheet = book.create_sheet(sheet_title(name))
    sheet.column_dimensions["A"].width = EXPLANATION_WIDTH
    for number, line in enumerate(lines):
        cell = make_cell(sheet, line)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        cell.font = Font(bold=number == 0)
        sheet.append([cell])


def add_table(book: Workbook, name: str, columns: Sequence[Column[Any]], rows: Rows) -> None:
    sheet = book.create_sheet(sheet_title(name))
    sheet.freeze_panes = "A2"
    for number, column in enumerate(columns, 1):
        sheet.column_dimensions[get_column_letter(number)].width = column.width
    headings = [make_cell(sheet, str(column.heading)) for column in columns]
    for cell in headings:
        cell.font = Font(bold=True)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
    sheet.append(headings)
    for row in rows:
        sheet.append(
            [
                make_cell(sheet, value, cell_format(column))
                for column, value in zip(columns, row, strict=True)
            ]
        )


def make_cell(sheet: WriteOnlyWorksheet, value: Value, form: str = PLAIN_FORMAT) -> Cell:
    cell = WriteOnlyCell(sheet)
    cell.value = (
        safe_cell(tidy(value))
        if isinstance(value, str)
        else value.text
        if isinstance(value, Formula)
        else value
    )
    if isinstance(value, str):
        cell.data_type = "s"
    else:
        cell.number_format = DAY_FORMAT if isinstance(value, date) else form
    return cell


def save_workbook(book: Workbook, into: IO[bytes]) -> None:
    """The same content gives the same bytes."""
    book.properties.created = book.properties.modified = LONG_AGO
    with SpooledTemporaryFile(IN_MEMORY) as loose:
        ExcelWriter(book, ZipFile(loose, "w")).save()
        with ZipFile(loose) as parts, ZipFile(into, "w", ZIP_DEFLATED) as archive:
            for name in parts.namelist():
                info = ZipInfo(name, LONG_AGO.timetuple()[:6])
                info.compress_type = ZIP_DEFLATED
                with parts.open(name) as source, archive.open(info, "w") as target:
                    copyfileobj(source, target)


def agreement_formula(computed: str, published: str) -> Formula:
    """Compares two cells of three decimals."""
    yes, no = (text.replace('"', '""') for text in (_("agrees"), _("differs")))
    return Formula(f'=IF(ABS({computed}-{published})<0.0005,"{yes}","{no}")')


def workbook_response(book: Workbook, name: str) -> HttpResponse:
    content = io.BytesIO()
    save_workbook(book, content)
    headers = {"Content-Disposition": f'attachment; filename="{name}.xlsx"'}
    return HttpResponse(content.getvalue(), content_type=XLSX, headers=headers)
