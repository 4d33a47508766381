"""The portal's own table of games, as CSV or as a workbook, even after a spreadsheet program
changed it.

Workbooks are opened in a child process with little memory and time, so that a hostile one harms
nothing."""

import csv
import io
import json
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import openpyxl
from openpyxl.xml import DEFUSEDXML

from pergioco.imports.canonical import (
    DOUBLE_FORFEIT,
    DRAW,
    FORFEIT,
    LOSS,
    MATCH,
    NOBODY,
    OPEN,
    PENDING,
    PLAYED,
    VOID,
    WIN,
    Absence,
    Bye,
    Collector,
    Game,
    Match,
    Result,
    Unreadable,
    compare_points,
    same_name,
)
from pergioco.imports.readers import raw_files
from pergioco.imports.readers.raw_files import decode, exact_decimal

COLUMNS = (
    *("round", "table", "player_a", "player_b", "result"),
    *("score_a", "score_b", "kind", "link", "note"),
)
NEEDED = {"round", "player_a", "player_b", "result"}
HALF, ONE = Decimal("0.5"), Decimal(1)
BYES = {"BYE": ("pairing", ONE), "HALF": ("half", HALF), "FULL": ("full", ONE)}
ABSENT = {"ABSENT": "absent", "WITHDRAWN": "withdrawn"}
GAMES = {
    **dict.fromkeys(("1-0", "1:0"), (WIN, PLAYED)),
    **dict.fromkeys(("0-1", "0:1"), (LOSS, PLAYED)),
    **dict.fromkeys(("0.5-0.5", "½-½", "1/2-1/2", "="), (DRAW, PLAYED)),
    **dict.fromkeys(("1-0F", "1F-0F", "+/-", "+--"), (WIN, FORFEIT)),
    **dict.fromkeys(("0-1F", "0F-1F", "-/+", "--+"), (LOSS, FORFEIT)),
    **dict.fromkeys(("0F-0F", "-/-", "---"), (NOBODY, DOUBLE_FORFEIT)),
    "VOID": (NOBODY, VOID),
    "*": (OPEN, PENDING),
}
DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
DASHES = str.maketrans("–—−‐‑", "-----")


@dataclass(frozen=True)
class Row:
    where: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        return " ".join(self.cells.get(column, "").split())

    @property
    def result(self) -> str:
        return self.text("result").translate(DASHES).replace(" ", "").replace(",", ".").upper()


def read_csv(raw: bytes) -> Result:
    text, is_utf8 = decode(raw)
    collector = Collector("spreadsheet", "games")
    if not is_utf8:
        collector.warn("read_as_cp1252")
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter(text)))
    except csv.Error as broken:
        raise Unreadable("not_a_table") from broken
    take_rows(rows, collector)
    return collector.result()


def delimiter(text: str) -> str:
    heading = text.split("\n", 1)[0]
    return max(";,\t", key=heading.count)


def read_workbook(raw: bytes) -> Result:
    sheets = {name.strip().casefold(): rows for name, rows in read_sheets(raw).items()}
    collector = Collector("spreadsheet", "games")
    ids = player_ids(sheets.get("players", []))
    take_rows(sheets.get("games") or next(iter(sheets.values())), collector)
    collector.unknown_among(ids)
    return collector.result(
        participant_ids={name: number for name, number in ids.items() if number}
    )


def player_ids(rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Nickname -> id on the platform, from the sheet of players; empty if it gives none."""
    heading = [cell.strip().casefold() for cell in rows[0]] if rows else []
    if "nickname" not in heading:
        return {}
    people = [dict(zip(heading, row, strict=False)) for row in rows[1:]]
    return {
        " ".join(p["nickname"].split()): p.get("platform_id", "").strip()
        for p in people
        if p["nickname"].strip()
    }


def take_rows(rows: Sequence[Sequence[str]], collector: Collector) -> None:
    if len(rows) > raw_files.MOST_ROWS:
        raise Unreadable("too_many_rows", most=raw_files.MOST_ROWS)
    heading = [cell.strip().casefold() for cell in rows[0]] if rows else []
    if missing := sorted(NEEDED - set(heading)):
        raise Unreadable("columns_missing", columns=missing)
    for where, cells in enumerate(rows[1:], 2):
        if any(cell.strip() for cell in cells):
            take_row(Row(where, dict(zip(heading, cells, strict=False))), collector)
    warn_of_missing_rows(collector)


def take_row(row: Row, collector: Collector) -> None:
    round_ = row.text("round")
    if not (round_.isascii() and round_.isdigit() and int(round_)):
        collector.fail("round_is_no_number", line=row.where, text=round_)
    elif not row.text("player_a"):
        collector.fail("player_missing", line=row.where)
    elif row.result in BYES or row.result in ABSENT:
        take_single(row, int(round_), collector)
    else:
        take_pair(row, int(round_), collector)


def take_single(row: Row, round_: int, collector: Collector) -> None:
    name = collector.participant(row.text("player_a"))
    if row.text("player_b"):
        collector.fail("opponent_of_nobody", line=row.where, player=name)
    elif row.result in BYES:
        collector.bye(Bye(name, round_, *BYES[row.result]), line=row.where)
    else:
        collector.absence(Absence(name, round_, ABSENT[row.result]), line=row.where)


def take_pair(row: Row, round_: int, collector: Collector) -> None:
    if DATE.fullmatch(row.text("result")):
        collector.fail("result_is_a_date", line=row.where, text=row.text("result"))
        return
    if not row.text("player_b"):
        collector.fail("player_missing", line=row.where)
        return
    a, b = (collector.participant(row.text(column)) for column in ("player_a", "player_b"))
    if a == b:
        collector.fail("plays_against_oneself", line=row.where, player=a)
        return
    game = row_game(row, a, b)
    if game is None:
        collector.fail("result_not_understood", line=row.where, text=row.text("result"))
    else:
        collector.game(round_, game)


def row_game(row: Row, a: str, b: str) -> Game | None:
    if row.result in GAMES:
        return Game(a, b, *GAMES[row.result], line=row.where)
    scores = [score_points(row.text(column)) for column in ("score_a", "score_b")]
    if row.result or scores[0] is None or scores[1] is None:
        return None
    match = Match(a_points=scores[0], b_points=scores[1])
    return Game(a, b, compare_points(scores[0], scores[1]), MATCH, line=row.where, match=match)


def score_points(text: str) -> Decimal | None:
    value = exact_decimal(text.replace("½", ".5"))
    return value if value is not None and value >= 0 else None


def warn_of_missing_rows(collector: Collector) -> None:
    # A player without a row in a round had a bye or was absent: the organizer decides.
    everyone = {same_name(name): name for name in collector.names.values()}
    for round_ in sorted({round_ for round_, _name in collector.busy}):
        for name in everyone.values():
            if (round_, name) not in collector.busy:
                collector.warn("no_row_in_round", player=name, round=round_)


Rows = list[list[str]]
MEMORY = 256 * raw_files.MEGABYTE
SECONDS = 3
WALL_SECONDS = 10
MOST_COLUMNS = 40
MOST_TEXT = 500


def read_sheets(raw: bytes) -> dict[str, Rows]:
    """Name of the sheet -> its rows as text, exactly as stored."""
    raw_files.check_zip(raw)
    try:
        child = subprocess.run(  # noqa: S603 - our own module, no shell
            [sys.executable, "-I", "-c", CHILD, json.dumps(sys.path)],
            input=raw,
            capture_output=True,
            timeout=WALL_SECONDS,
            check=False,
        )
        sheets: dict[str, Rows] = json.loads(child.stdout) if child.returncode == 0 else {}
    except (subprocess.TimeoutExpired, ValueError):
        sheets = {}
    if not sheets:
        raise Unreadable("not_a_workbook")
    return sheets


CHILD = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from pergioco.imports.readers import spreadsheet
spreadsheet.serve_sheets()
"""


def serve_sheets() -> None:
    """Runs in the child process: bytes from standard input, rows as JSON to standard output."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    json.dump(dict(iterate_sheets(sys.stdin.buffer.read())), sys.stdout)


def iterate_sheets(raw: bytes) -> Iterator[tuple[str, Rows]]:
    if not DEFUSEDXML:
        raise RuntimeError("Workbooks from outside are only opened with defusedxml.")
    book = openpyxl.load_workbook(
        io.BytesIO(raw), read_only=True, data_only=False, keep_links=False
    )
    for sheet in book.worksheets:
        rows = sheet.iter_rows(
            max_row=raw_files.MOST_ROWS + 1, max_col=MOST_COLUMNS, values_only=True
        )
        yield (
            sheet.title,
            [["" if cell is None else str(cell)[:MOST_TEXT] for cell in row] for row in rows],
        )
