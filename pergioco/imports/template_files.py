"""The empty table of games to fill in, which `readers.spreadsheet` reads."""

import io
from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from pergioco.core.exports import as_csv
from pergioco.core.exports.as_csv import write_csv_rows
from pergioco.core.exports.as_xlsx import XLSX, make_cell, new_book, save_workbook
from pergioco.imports.readers import raw_files
from pergioco.imports.readers.spreadsheet import COLUMNS

RESULTS = (
    "1-0",
    "0-1",
    "0.5-0.5",
    "1-0F",
    "0-1F",
    "0F-0F",
    "BYE",
    "HALF",
    "FULL",
    "ABSENT",
    "WITHDRAWN",
    "VOID",
)
PLAYERS = ("nickname", "platform_id")
AS_TEXT = "@"  # so that no spreadsheet turns 1/2 into a date
WIDTH = 18


def make_workbook() -> tuple[bytes, str]:
    book = new_book()
    add_sheet(book, "Games", COLUMNS)
    add_sheet(book, "Players", PLAYERS)
    sheet = book.create_sheet("Help")
    sheet.column_dimensions["A"].width = 14
    sheet.column_dimensions["B"].width = 90
    for row in explanations():
        sheet.append([make_cell(sheet, text) for text in row])
    content = io.BytesIO()
    save_workbook(book, content)
    return content.getvalue(), XLSX


def add_sheet(book: Workbook, title: str, columns: Iterable[str]) -> None:
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    headings = []
    for number, name in enumerate(columns, 1):
        letter = get_column_letter(number)
        sheet.column_dimensions[letter].number_format = AS_TEXT
        sheet.column_dimensions[letter].width = WIDTH
        cell = make_cell(sheet, name)
        cell.font = Font(bold=True)
        headings.append(cell)
        if name == "result":
            sheet.data_validations.append(list_of_results(letter))
    sheet.append(headings)


def list_of_results(letter: str) -> DataValidation:
    # Other spellings are let through: the reader knows many.
    offered = DataValidation(
        type="list", formula1=f'"{",".join(RESULTS)}"', allow_blank=True, showErrorMessage=False
    )
    offered.add(f"{letter}2:{letter}{raw_files.MOST_ROWS}")
    return offered


def explanations() -> list[tuple[str, str]]:
    return [
        ("round", _("The number of the round: 1, 2, 3…")),
        ("table", _("The number of the table; may stay empty.")),
        ("player_a", _("The nickname on the platform, as it is written there.")),
        ("player_b", _("The nickname of the opponent; empty for a bye or an absence.")),
        ("result", _("1-0, 0-1, 0.5-0.5. Opponent absent: 1-0F, 0-1F; both absent: 0F-0F.")),
        ("", _("Alone: BYE, HALF (half a point), FULL, ABSENT, WITHDRAWN. VOID: does not count.")),
        (
            "score_a, score_b",
            _("For a match of several games given by its score; then result stays empty."),
        ),
        ("", _("Better: one row for each game of the match, each in a round of its own.")),
        ("kind, link, note", _("For yourself; they are not read.")),
        ("Players", _("Optional: the id on the platform for each nickname, where you know it.")),
    ]


def make_csv() -> tuple[bytes, str]:
    content = io.BytesIO()
    write_csv_rows([COLUMNS], content, delimiter=";")
    return content.getvalue(), as_csv.CONTENT_TYPE


MADE: dict[str, Callable[[], tuple[bytes, str]]] = {"xlsx": make_workbook, "csv": make_csv}
