"""The portal's own table of games, as CSV or as a workbook, also when a spreadsheet program had its way with it."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pergioco.imports import limits
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
    Game,
    Match,
    Result,
    Unreadable,
    compare,
)
from pergioco.imports.collecting import Collector
from pergioco.imports.nicknames import same_name
from pergioco.imports.readers.numbers import exact
from pergioco.imports.readers.text import decode
from pergioco.imports.workbook import sheets_of

COLUMNS = ("round", "table", "player_a", "player_b", "result", "score_a", "score_b", "kind", "link", "note")
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
    sheets = {name.strip().casefold(): rows for name, rows in sheets_of(raw).items()}
    collector = Collector("spreadsheet", "games")
    ids = player_ids(sheets.get("players", []))
    take_rows(sheets.get("games") or next(iter(sheets.values())), collector)
    collector.unknown_among(ids)
    return collector.result(participant_ids={name: number for name, number in ids.items() if number})


def player_ids(rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Nickname -> id on the platform, from the sheet of players; empty where it gives none."""
    heading = [cell.strip().casefold() for cell in rows[0]] if rows else []
    if "nickname" not in heading:
        return {}
    people = [dict(zip(heading, row, strict=False)) for row in rows[1:]]
    return {" ".join(p["nickname"].split()): p.get("platform_id", "").strip() for p in people if p["nickname"].strip()}


def take_rows(rows: Sequence[Sequence[str]], collector: Collector) -> None:
    if len(rows) > limits.MOST_ROWS:
        raise Unreadable("too_many_rows", most=limits.MOST_ROWS)
    heading = [cell.strip().casefold() for cell in rows[0]] if rows else []
    if missing := sorted(NEEDED - set(heading)):
        raise Unreadable("columns_missing", columns=missing)
    for where, cells in enumerate(rows[1:], 2):
        if any(cell.strip() for cell in cells):
            take(Row(where, dict(zip(heading, cells, strict=False))), collector)
    without_row(collector)


def take(row: Row, collector: Collector) -> None:
    round_ = row.text("round")
    if not (round_.isascii() and round_.isdigit() and int(round_)):
        collector.fail("round_is_no_number", line=row.where, text=round_)
    elif not row.text("player_a"):
        collector.fail("player_missing", line=row.where)
    elif row.result in BYES or row.result in ABSENT:
        alone(row, int(round_), collector)
    else:
        pair(row, int(round_), collector)


def alone(row: Row, round_: int, collector: Collector) -> None:
    name = collector.participant(row.text("player_a"))
    if row.text("player_b"):
        collector.fail("opponent_of_nobody", line=row.where, player=name)
    elif row.result in BYES:
        collector.bye(Bye(name, round_, *BYES[row.result]), line=row.where)
    else:
        collector.absence(Absence(name, round_, ABSENT[row.result]), line=row.where)


def pair(row: Row, round_: int, collector: Collector) -> None:
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
    game = game_of(row, a, b)
    if game is None:
        collector.fail("result_not_understood", line=row.where, text=row.text("result"))
    else:
        if game.kind == PENDING:
            collector.fail("game_still_open", line=row.where, a=a, b=b)
        collector.game(round_, game)


def game_of(row: Row, a: str, b: str) -> Game | None:
    if row.result in GAMES:
        return Game(a, b, *GAMES[row.result], line=row.where)
    scores = [points(row.text(column)) for column in ("score_a", "score_b")]
    if row.result or scores[0] is None or scores[1] is None:
        return None
    match = Match(a_points=scores[0], b_points=scores[1])
    return Game(a, b, compare(scores[0], scores[1]), MATCH, line=row.where, match=match)


def points(text: str) -> Decimal | None:
    value = exact(text.replace("½", ".5"))
    return value if value is not None and value >= 0 else None


def without_row(collector: Collector) -> None:
    """Who plays elsewhere in the file but has no row in a round: bye or absent? The organizer is asked."""
    everyone = {same_name(name): name for name in collector.names.values()}
    for round_ in sorted({round_ for round_, _name in collector.busy}):
        for name in everyone.values():
            if (round_, name) not in collector.busy:
                collector.warn("no_row_in_round", player=name, round=round_)
