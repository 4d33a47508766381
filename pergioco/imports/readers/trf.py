"""TRF16 and TRF26 files of one-player tournaments, and PlayStrategy's dialect of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from pergioco.imports.canonical import (
    DOUBLE_FORFEIT,
    DRAW,
    FORFEIT,
    LOSS,
    NOBODY,
    PLAYED,
    UNRATED,
    WIN,
    Absence,
    Bye,
    Collector,
    Game,
    Result,
    Standing,
    Unreadable,
)
from pergioco.imports.readers.raw_files import decode, exact_decimal, lines_of

FIRST_ROUND, ROUND_WIDTH = 91, 10
BYES = {"U": "pairing", "H": "half", "F": "full"}
ANSWERS = {"1": "0", "0": "1", "=": "=", "W": "L", "L": "W", "D": "D", "+": "-", "-": "+-"}
RESULTS = {"1": WIN, "W": WIN, "+": WIN, "=": DRAW, "D": DRAW, "0": LOSS, "L": LOSS, "-": LOSS}
WORTH = {
    code: worth
    for worth, codes in (("W", "1W+F"), ("D", "=DH"), ("P", "U"), ("L", "0L"))
    for code in codes
}
TRF26_RECORDS = set(map(str, (142, 152, 162, 172, 182, 192, 202, 212, 222, 240, 250, 260, 299)))
TEAM_RECORDS = {"013", "310", "320", "330", "801", "802"}
PLAYSTRATEGY_ID = re.compile(r"/swiss/(\w{8})")


@dataclass(frozen=True)
class Cell:
    """One player's entry for one round."""

    opponent: int
    colour: str
    code: str


@dataclass(frozen=True)
class Line:
    number: int
    name: str
    points: Decimal | None
    rank: int | None
    cells: tuple[Cell, ...]
    raw: str
    where: int

    def cell(self, round_: int) -> Cell:
        return self.cells[round_ - 1] if round_ <= len(self.cells) else Cell(0, "", "")


@dataclass
class File:
    """The records of one file, before they are compared with each other."""

    lines: dict[int, Line]
    headers: dict[str, str]
    points: dict[str, Decimal]

    @property
    def is_playstrategy(self) -> bool:
        return "playstrategy" in (self.headers.get("032", "") + self.headers.get("022", "")).lower()

    @property
    def playstrategy_id(self) -> str:
        found = PLAYSTRATEGY_ID.search(self.headers.get("022", ""))
        return found[1] if found and self.is_playstrategy else ""

    @property
    def point_system(self) -> dict[str, Decimal]:
        """Empty unless the file states it."""
        if "162" not in self.headers:
            return {}
        return {key: value for key, value in self.points.items() if key in "WDLP"}

    @property
    def has_odd_points(self) -> bool:
        """Accelerated or hand-made points: printed points are not the sum of the results."""
        return bool({"XXA", "299", "XXS"} & self.headers.keys())

    @property
    def last_round(self) -> int:
        """The last one with a pairing: a block after it announces the next round."""
        paired = (
            round_
            for line in self.lines.values()
            for round_, cell in enumerate(line.cells, 1)
            if cell.opponent or cell.code in BYES
        )
        return max(paired, default=0)


def read_trf(raw: bytes) -> Result:
    text, is_utf8 = decode(raw)
    collector = Collector("trf", "trf16")
    if not is_utf8:
        collector.warn("read_as_cp1252")
    file = parse_records(text, collector)
    if not file.lines:
        raise Unreadable("no_players" if not collector.errors else collector.errors[0].code)
    name_dialect(file, collector)
    if not file.is_playstrategy and text[-1:] not in ("\n", "\r"):
        collector.fail("no_final_newline")
    check_announced(file, collector)
    fill_result(file, collector)
    return collector.result(source_stage_id=file.playstrategy_id, point_system=file.point_system)


def name_dialect(file: File, collector: Collector) -> None:
    if file.is_playstrategy:
        collector.source, collector.format = "playstrategy", "trf"
        collector.warn("trf_no_forfeit_info")
        collector.warn("trf_lowercase_ids")
    if TRF26_RECORDS & file.headers.keys():
        collector.format = "trf26"


def parse_records(text: str, collector: Collector) -> File:
    file = File({}, {}, {"W": Decimal(1), "D": Decimal("0.5"), "L": Decimal(0), "A": Decimal(0)})
    for where, raw in enumerate(lines_of(text), 1):
        code = raw[:3]
        if code in TEAM_RECORDS:
            raise Unreadable("team_trf", line=where)
        if code == "001":
            try:
                keep_line(parse_player_line(raw, where), file, collector)
            except Unreadable as bad:
                collector.errors.append(bad.note)
        elif raw.strip() and code != "###":
            file.headers.setdefault(code, raw[4:].strip())
    for key, value in re.findall(r"([WDLAPX]) *(\d+(?:\.\d+)?)", file.headers.get("162", "")):
        file.points[key] = Decimal(value)
    file.points.setdefault("P", file.points["W"])
    return file


def keep_line(line: Line, file: File, collector: Collector) -> None:
    first = file.lines.get(line.number)
    if first is None:
        file.lines[line.number] = line
    elif first.raw == line.raw:
        collector.warn("repeated_player", line=line.where, number=line.number)
    else:
        collector.fail("two_lines_of_a_player", line=line.where, number=line.number)


def parse_player_line(raw: str, where: int) -> Line:
    # Columns count characters; lines may be cut after their last word.
    number = parse_whole(raw[4:8], "bad_player_number", where)
    if not number:
        raise Unreadable("bad_player_number", line=where)
    rank = parse_whole(raw[85:89], "bad_rank", where) if raw[85:89].strip() else None
    name = " ".join(raw[14:47].split())
    if not name:
        raise Unreadable("player_without_name", line=where)
    points, cells = parse_points(raw[80:84], where), tuple(parse_cells(raw, where))
    return Line(number, name, points, rank, cells, raw, where)


def parse_cells(raw: str, where: int) -> Iterator[Cell]:
    for start in range(FIRST_ROUND, len(raw), ROUND_WIDTH):
        block = raw[start : start + 8].ljust(8)
        opponent = parse_whole(block[:4], "bad_opponent", where) if block[:4].strip() else 0
        yield Cell(opponent, block[5].strip().lower(), block[7].strip().upper())


def parse_whole(text: str, code: str, where: int) -> int:
    digits = text.strip()  # also of separators that `int` would not take for blanks
    if not (digits.isascii() and digits.isdigit()):
        raise Unreadable(code, line=where, text=digits)
    return int(digits)


def parse_points(text: str, where: int) -> Decimal | None:
    if not text.strip():
        return None
    value = exact_decimal(text)
    if value is None:
        raise Unreadable("bad_points", line=where, text=text.strip())
    return value


def check_announced(file: File, collector: Collector) -> None:
    # At least as many players as announced, and a line for each opponent.
    said = file.headers.get("062", "").split()[:1]
    if said and said[0].isascii() and said[0].isdigit() and int(said[0]) > len(file.lines):
        collector.fail("players_missing", announced=int(said[0]), read=len(file.lines))
    named = {cell.opponent for line in file.lines.values() for cell in line.cells} - {0}
    if lost := sorted(named - file.lines.keys()):
        collector.fail("opponents_without_line", numbers=lost)


def fill_result(file: File, collector: Collector) -> None:
    for line in file.lines.values():
        collector.participant(line.name)
        if line.points is not None:
            collector.standings.append(Standing(line.name, line.points, line.rank))
    for round_ in range(1, file.last_round + 1):
        for line in file.lines.values():
            seat_line(file, line, round_, collector)
    if not file.has_odd_points:
        check_sums(file, collector)


def seat_line(file: File, line: Line, round_: int, collector: Collector) -> None:
    cell = line.cell(round_)
    if cell.opponent:
        pair_lines(file, line, round_, collector)
    elif cell.code in BYES:
        points = file.points[WORTH[cell.code]]
        collector.bye(Bye(line.name, round_, BYES[cell.code], points), line=line.where)
    else:
        reason = {"Z": "zero_bye", "-": "absent"}.get(cell.code, "blank")
        collector.absence(Absence(line.name, round_, reason), line=line.where)


def pair_lines(file: File, line: Line, round_: int, collector: Collector) -> None:
    # Read once, from white's side, or from the lower number's if the colours do not tell.
    cell, other = line.cell(round_), file.lines.get(line.cell(round_).opponent)
    if other is None:
        return
    back = other.cell(round_)
    is_mutual = back.opponent == line.number
    if is_mutual and not comes_first(line, other, round_):
        return
    if not is_mutual or not back.code or back.code not in ANSWERS.get(cell.code, ""):
        values = {"a": line.name, "b": other.name, "a_says": cell.code, "b_says": back.code}
        collector.fail("sides_disagree", line=line.where, round=round_, **values)
        return
    collector.game(
        round_, Game(line.name, other.name, *coded_outcome(cell.code, back.code), line=line.where)
    )


def comes_first(line: Line, other: Line, round_: int) -> bool:
    white, other_white = line.cell(round_).colour == "w", other.cell(round_).colour == "w"
    return white if white != other_white else line.number < other.number


def coded_outcome(code: str, answer: str) -> tuple[str, str]:
    if code == answer == "-":
        return NOBODY, DOUBLE_FORFEIT
    kind = FORFEIT if code in "+-" else UNRATED if code in "WDL" else PLAYED
    return RESULTS[code], kind


def check_sums(file: File, collector: Collector) -> None:
    for line in file.lines.values():
        earned = sum((file.points[WORTH.get(cell.code, "A")] for cell in line.cells), Decimal(0))
        if line.points is not None and line.points != earned:
            collector.fail(
                "points_differ", line=line.where, player=line.name, printed=line.points, sum=earned
            )
