"""One table, three ways of writing it: the same cells, nothing that runs, the same bytes whenever
it is written."""

import csv
import io
import json
import tracemalloc
from datetime import UTC, date, datetime
from decimal import Decimal
from operator import itemgetter
from tempfile import TemporaryFile

import pytest
import time_machine
from django.test import RequestFactory
from django.utils.translation import override
from openpyxl import load_workbook

from pergioco.core.exports.as_csv import write_csv
from pergioco.core.exports.as_json import write_json
from pergioco.core.exports.as_xlsx import write_xlsx
from pergioco.core.exports.download import IN_MEMORY, download_sheet
from pergioco.core.exports.sheet import Column, Sheet

COLUMNS = [
    Column("name", "Name", itemgetter(0)),
    Column("points", "Points", itemgetter(1), decimals=3),
    Column("games", "Games", itemgetter(2)),
    Column("last", "Last played", itemgetter(3)),
]
ROWS = [
    ["Žofia Łoś", Decimal("1009.7129"), 4, date(2026, 3, 1)],
    ["=1+1", Decimal("-0.5"), None, None],
    ["Ana\x07\u202e ñ\n", 2, 0, date(2026, 3, 2)],
]
WRITERS = [write_csv, write_xlsx, write_json]


def sheet(rows=ROWS) -> Sheet:
    about = {"kind": "red", "as_of": date(2026, 3, 12), "paragraphs": ["PGM 24"]}
    return Sheet("red-2026-v1", "Red 2026", "v1", COLUMNS, rows, about)


def written(write, one: Sheet) -> bytes:
    into = io.BytesIO()
    write(one, into)
    return into.getvalue()


@pytest.fixture(autouse=True)
def _in_english(english) -> None:
    pass


def test_as_csv():
    assert written(write_csv, sheet()).decode("utf-8-sig").splitlines() == [
        "Name,Points,Games,Last played,Version",
        "Žofia Łoś,1009.712,4,2026-03-01,v1",
        "'=1+1,-0.500,,,v1",
        "Ana ñ,2.000,0,2026-03-02,v1",
    ]


def test_as_csv_where_decimals_have_a_comma():
    with override("it"):
        rows = list(
            csv.reader(io.StringIO(written(write_csv, sheet()).decode("utf-8-sig")), delimiter=";")
        )

    assert rows[1] == ["Žofia Łoś", "1009,712", "4", "2026-03-01", "v1"]


def test_as_a_workbook_numbers_are_numbers_and_days_are_days():
    page = load_workbook(io.BytesIO(written(write_xlsx, sheet()))).active
    rows = list(page.iter_rows())

    assert page.title == "Red 2026"
    assert page.freeze_panes == "A2"
    assert [cell.value for cell in rows[0]] == ["Name", "Points", "Games", "Last played", "Version"]
    assert [cell.value for cell in rows[1]] == [
        "Žofia Łoś",
        1009.712,
        4,
        datetime(2026, 3, 1),  # noqa: DTZ001 - a workbook knows no zone
        "v1",
    ]
    assert [cell.number_format for cell in rows[1]] == [
        "General",
        "0.000",
        "0",
        "yyyy-mm-dd",
        "General",
    ]
    assert [cell.data_type for cell in rows[1]] == ["s", "n", "n", "d", "s"]


def test_in_a_workbook_no_text_is_run_and_nothing_invisible_stays():
    rows = list(load_workbook(io.BytesIO(written(write_xlsx, sheet()))).active.iter_rows())

    assert (rows[2][0].value, rows[2][0].data_type) == ("'=1+1", "s")
    assert rows[3][0].value == "Ana ñ"
    assert {cell.data_type for row in rows for cell in row} <= {"s", "n", "d"}


def test_as_json_numbers_lose_nothing():
    read = json.loads(written(write_json, sheet()))

    assert read["rows"] == [
        {"name": "Žofia Łoś", "points": "1009.712", "games": 4, "last": "2026-03-01"},
        {"name": "=1+1", "points": "-0.500", "games": None, "last": None},
        {"name": "Ana ñ", "points": "2.000", "games": 0, "last": "2026-03-02"},
    ]
    assert read["columns"][1] == {"key": "points", "heading": "Points"}
    assert {key: read[key] for key in ("title", "stamp", "kind", "as_of", "paragraphs")} == {
        "title": "Red 2026",
        "stamp": "v1",
        "kind": "red",
        "as_of": "2026-03-12",
        "paragraphs": ["PGM 24"],
    }


def test_without_rows_each_is_whole_all_the_same():
    assert json.loads(written(write_json, sheet([])))["rows"] == []
    assert written(write_csv, sheet([])).decode("utf-8-sig").splitlines() == [
        "Name,Points,Games,Last played,Version"
    ]
    assert load_workbook(io.BytesIO(written(write_xlsx, sheet([])))).active.max_row == 1


def test_a_row_without_a_value_for_a_column_is_refused():
    with pytest.raises(IndexError):
        written(write_csv, sheet([["Žofia Łoś", 1, 2]]))
    with pytest.raises(AttributeError):
        written(write_csv, Sheet("red", "Red", "v1", [Column("rank", "Rank")], [object()]))


@pytest.mark.parametrize("writer", WRITERS)
def test_the_same_content_is_the_same_bytes(writer):
    with time_machine.travel(datetime(2026, 3, 12, tzinfo=UTC), tick=False):
        first = written(writer, sheet())
    with time_machine.travel(datetime(2027, 8, 1, tzinfo=UTC), tick=False):
        later = written(writer, sheet())

    assert first == later


@pytest.mark.parametrize("writer", WRITERS)
def test_rows_are_not_kept_in_memory(writer):
    many = 3000
    rows = ([f"{number} {'x' * 2000}", Decimal(number), number, None] for number in range(many))
    with TemporaryFile() as into:
        tracemalloc.start()
        writer(sheet(rows), into)
        _now, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert peak < many * 2000 / 2


@pytest.mark.parametrize(
    ("ending", "kind"), [("csv", "text/csv"), ("xlsx", "spreadsheetml"), ("json", "json")]
)
def test_what_somebody_has_already_is_not_sent_again(ending, kind):
    first = download_sheet(RequestFactory().get("/"), sheet(), ending)
    again = download_sheet(
        RequestFactory().get("/", headers={"If-None-Match": first.headers["ETag"]}), sheet(), ending
    )
    changed = sheet([*ROWS, ["Bruno", 1, 1, None]])
    other = download_sheet(
        RequestFactory().get("/", headers={"If-None-Match": first.headers["ETag"]}), changed, ending
    )

    assert kind in first.headers["Content-Type"]
    assert first.headers["Content-Disposition"] == f'attachment; filename="red-2026-v1.{ending}"'
    assert [first.status_code, again.status_code, other.status_code] == [200, 304, 200]


@pytest.mark.django_db
def test_a_large_one_is_sent_piece_by_piece():
    rows = [[f"{number} {'x' * 1000}", 1, 1, None] for number in range(IN_MEMORY // 1000)]

    answer = download_sheet(RequestFactory().get("/"), sheet(rows), "csv")

    assert answer.streaming
    assert len(b"".join(answer.streaming_content).splitlines()) == len(rows) + 1
    answer.close()
