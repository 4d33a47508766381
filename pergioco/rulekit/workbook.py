"""Spreadsheets whose formulas are ours alone: any other text is text, whatever it begins with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter, quote_sheetname
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.writer.excel import ExcelWriter

from pergioco.rulekit.cells import safe_cell
from pergioco.rulekit.folding import tidy

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PLAIN, WHOLE, ONE, THREE, SIX, DAY = "General", "0", "0.0", "0.000", "0.000000", "yyyy-mm-dd"
FORBIDDEN_IN_TITLES = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
LONGEST_TITLE = 31
EXPLANATION_WIDTH = 100
IN_MEMORY = 1_000_000  # bytes: what is larger goes to a file on its way
LONG_AGO = datetime(2000, 1, 1)  # noqa: DTZ001 - written in every workbook: the same content, the same bytes


@dataclass(frozen=True)
class Formula:
    """Begins with the sign of equality. Never made of anything that somebody typed."""

    text: str


Value = str | int | Decimal | date | Formula | None
Rows = Iterable[Sequence[Value]]


@dataclass(frozen=True)
class Column:
    heading: str
    width: int
    number_format: str = PLAIN


def title(text: str) -> str:
    """As spreadsheets allow it."""
    return tidy(text.translate(FORBIDDEN_IN_TITLES))[:LONGEST_TITLE]


def reference(sheet: str, cells: str) -> str:
    """“'Games'!$A$2:$A$9”: for formulas of another sheet."""
    return f"{quote_sheetname(title(sheet))}!{cells}"


def new_book() -> Workbook:
    book = Workbook(write_only=True)
    book.calculation.fullCalcOnLoad = True  # no results are stored: whoever opens it computes them
    return book


def add_explanation(book: Workbook, name: str, lines: Iterable[str]) -> None:
    """Sentences, one a row; the first one is the headline."""
    sheet = book.create_sheet(title(name))
    sheet.column_dimensions["A"].width = EXPLANATION_WIDTH
    for number, line in enumerate(lines):
        cell = written(sheet, line)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        cell.font = Font(bold=number == 0)
        sheet.append([cell])


def add_table(book: Workbook, name: str, columns: Sequence[Column], rows: Rows) -> None:
    """The headings are row 1 and stay in sight."""
    sheet = book.create_sheet(title(name))
    sheet.freeze_panes = "A2"
    for number, column in enumerate(columns, 1):
        sheet.column_dimensions[get_column_letter(number)].width = column.width
    headings = [written(sheet, column.heading) for column in columns]
    for cell in headings:
        cell.font = Font(bold=True)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
    sheet.append(headings)
    for row in rows:
        sheet.append([written(sheet, value, column.number_format) for column, value in zip(columns, row, strict=True)])


def written(sheet: WriteOnlyWorksheet, value: Value, number_format: str = PLAIN) -> Cell:
    cell = WriteOnlyCell(sheet)
    cell.value = (
        safe_cell(tidy(value)) if isinstance(value, str) else value.text if isinstance(value, Formula) else value
    )
    if isinstance(value, str):
        cell.data_type = "s"
    else:
        cell.number_format = DAY if isinstance(value, date) else number_format
    return cell


def save(book: Workbook, into: IO[bytes]) -> None:
    """The same content gives the same bytes, whenever it is written."""
    book.properties.created = book.properties.modified = LONG_AGO
    with SpooledTemporaryFile(IN_MEMORY) as loose:
        ExcelWriter(book, ZipFile(loose, "w")).save()
        with ZipFile(loose) as parts, ZipFile(into, "w", ZIP_DEFLATED) as archive:
            for name in parts.namelist():
                info = ZipInfo(name, LONG_AGO.timetuple()[:6])
                info.compress_type = ZIP_DEFLATED
                with parts.open(name) as source, archive.open(info, "w") as target:
                    copyfileobj(source, target)
