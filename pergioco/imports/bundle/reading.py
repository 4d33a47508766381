"""From a folder or zip to rows: a cell that does not fit is a problem, and reading goes on."""

import csv
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from io import TextIOWrapper
from pathlib import Path, PurePosixPath
from typing import Any, Generic, NamedTuple

from pergioco.imports.bundle.cells import Unfit
from pergioco.imports.bundle.files import COMPUTED, FACTS, SEATS, Column, File, R, SeatRow
from pergioco.imports.bundle.report import MOST_SHOWN, Report
from pergioco.imports.readers.raw_files import MEGABYTE
from pergioco.stages.models import Seat

MOST_MEMBERS = 200
MOST_PACKED = 200 * MEGABYTE
MOST_UNPACKED = 1000 * MEGABYTE
DEEPEST = 2  # a file in one folder
MOST_RATIO = 200  # results repeat themselves: real bundles shrink to a twentieth
MOST_ROWS = 5_000_000
NAMES = tuple(file.name for file in FACTS)
READ = (*NAMES, *(file.name for file in COMPUTED))
BROKEN = (
    csv.Error,
    zipfile.BadZipFile,
    zlib.error,
    RuntimeError,
    NotImplementedError,
    EOFError,
    OSError,
)
OUTCOME_OF = {"walkover": "win", "no_show": "loss", "quit": "loss", "bye": "win"}
Step = Callable[[int], None]


class Unopenable(Exception):
    """There is no bundle here; the text says why."""


class Place(NamedTuple):
    """A file of the folder, or a member of the zip."""

    size: int
    open: Callable[[], Any]


class Bundle:
    def __init__(self, path: Path) -> None:
        # Reads the directory only: the unpacked size is known before anything is unpacked.
        self.path = path
        self.places = zip_members(open_zip(path)) if path.is_file() else folder_files(path)

    def names(self) -> list[str]:
        return [name for name in READ if name in self.places]

    def size(self) -> int:
        """Bytes to be read."""
        return sum(self.places[name].size for name in self.names())

    @contextmanager
    def lines(self, name: str) -> Iterator[Iterator[str]]:
        """Keeps line ends; skips the byte order mark that spreadsheets write."""
        with (
            self.places[name].open() as raw,
            TextIOWrapper(raw, encoding="utf-8-sig", newline="") as text,
        ):
            yield text


def open_zip(path: Path) -> zipfile.ZipFile:
    if path.stat().st_size > MOST_PACKED:
        raise Unopenable(
            f"This file has more than {MOST_PACKED // MEGABYTE} MB: no bundle is that large."
        )
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError) as broken:
        raise Unopenable("This is neither a folder nor a zip file that can be opened.") from broken
    unpacked = sum(member.file_size for member in archive.infolist())
    packed = sum(member.compress_size for member in archive.infolist())
    too_much = unpacked > MOST_UNPACKED or unpacked > max(MEGABYTE, MOST_RATIO * packed)
    if len(archive.infolist()) > MOST_MEMBERS or too_much:
        raise Unopenable(
            "This zip would unpack to far more than a bundle holds. It was not opened."
        )
    return archive


def zip_members(archive: zipfile.ZipFile) -> dict[str, Place]:
    members = [
        (PurePosixPath(member.filename), member)
        for member in archive.infolist()
        if not member.is_dir() and is_table_name(member.filename)
    ]
    found = {path.name: Place(m.file_size, partial(archive.open, m)) for path, m in members}
    if len(found) < len(members) or any(len(path.parts) > DEEPEST for path, _member in members):
        raise Unopenable("The files of a bundle stand together in one folder, each once.")
    return found


def folder_files(folder: Path) -> dict[str, Place]:
    if not folder.is_dir():
        raise Unopenable(f"There is no folder or zip file {folder}.")
    return {
        path.name: Place(path.stat().st_size, partial(path.open, "rb"))
        for path in folder.iterdir()
        if path.is_file() and is_table_name(path.name)
    }


def is_table_name(name: str) -> bool:
    return name.endswith(".csv") and not name.startswith("__MACOSX/")


@dataclass
class Tables:
    """The rows of every file, by its name."""

    rows: dict[str, list[Any]] = field(default_factory=dict)
    # what could be read of the others
    broken: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    torn: set[str] = field(default_factory=set)  # files that may hold more than could be read

    def of(self, file: File[R]) -> list[R]:
        return self.rows.get(file.name, [])

    @cached_property
    def seats(self) -> dict[str, list[SeatRow]]:
        """By stage, in the order of rounds, tables and seats."""
        found: dict[str, list[SeatRow]] = defaultdict(list)
        for row in self.of(SEATS):
            found[row.stage].append(complete_seat(row))
        for seats in found.values():
            seats.sort(key=lambda row: (row.round, row.table, row.seat))
        return dict(found)

    def doubtful(self, file: File[Any], column: str) -> set[Any]:
        return {row.get(column) for row in self.broken.get(file.name, [])}

    def names(self, file: File[Any], column: str) -> set[Any]:
        # Also from rows where another cell is wrong: one mistake is one problem.
        return {getattr(row, column) for row in self.of(file)} | self.doubtful(file, column)


def complete_seat(row: SeatRow) -> SeatRow:
    """An absence without an outcome is a loss; an outcome without a kind was played."""
    if row.kind and not row.outcome and row.kind in OUTCOME_OF:
        return row._replace(outcome=OUTCOME_OF[row.kind])
    return row._replace(kind=str(Seat.Kind.PLAYED)) if row.outcome and not row.kind else row


def read_tables(bundle: Bundle, report: Report, step: Step) -> Tables:
    check_file_names(bundle, report)
    tables = Tables()
    for file in (*FACTS, *COMPUTED):
        if file.name in bundle.names():
            reading = Reading(file, report)
            tables.rows[file.name] = list(reading.rows(bundle, step))
            tables.broken[file.name] = reading.broken
            tables.torn |= {file.name} if reading.is_torn else set()
    return tables


def check_file_names(bundle: Bundle, report: Report) -> None:
    # Unknown names are refused: a misspelt file would be left out silently.
    for name in sorted(bundle.places.keys() - set(READ)):
        sentence = f"No file of a bundle has this name. Its files are {', '.join(READ)}."
        report.add(name, 0, "", sentence)
    if not bundle.places.keys() & set(NAMES) and not report.problems:
        sentence = f"There is no file of a bundle here. Its files are {', '.join(NAMES)}."
        report.add(bundle.path.name, 0, "", sentence)


def count_steps(lines: Iterator[str], step: Step) -> Iterator[str]:
    for line in lines:
        step(len(line))
        yield line


@dataclass
class Reading(Generic[R]):
    file: File[R]
    report: Report
    line: int = 1  # where the row began that is being read
    broken: list[dict[str, Any]] = field(default_factory=list)
    is_torn: bool = False

    def rows(self, bundle: Bundle, step: Step) -> Iterator[R]:
        try:
            with bundle.lines(self.file.name) as lines:
                yield from self.rows_of(count_steps(lines, step))
        except UnicodeDecodeError:
            self.tear("From about here on the file is not UTF-8 text. Save it as UTF-8.")
        except BROKEN as broken:
            self.tear(f"From here on the file cannot be read: {broken}.")

    def rows_of(self, lines: Iterator[str]) -> Iterator[R]:
        reader = csv.reader(lines, strict=True)
        columns = self.columns_of(next(reader, []))
        if not columns:
            return
        self.line = reader.line_num + 1
        for cells in reader:
            if any(cells) and (row := self.row_of(columns, cells)) is not None:
                yield row
            self.line = reader.line_num + 1
            self.stop_at_the_limit()

    def columns_of(self, heading: list[str]) -> list[tuple[str, Column]]:
        """In the order of the file; empty if the heading is wrong."""
        known = self.file.columns
        named = [name.strip() for name in heading]
        needed = [name for name, column in known.items() if column.needed]
        unknown = f"No such column. The columns are {', '.join(known)}."
        wrong = {name: unknown for name in named if name not in known}
        wrong |= {name: "This column stands here twice." for name in named if named.count(name) > 1}
        wrong |= {name: "This column is missing." for name in needed if name not in named}
        for name, sentence in wrong.items():
            self.problem(name or "(without a name)", sentence)
        self.is_torn = bool(wrong)
        return [] if wrong else [(name, known[name]) for name in named]

    def row_of(self, columns: list[tuple[str, Column]], cells: list[str]) -> R | None:
        if len(cells) != len(columns):
            self.problem("", f"This line has {len(cells)} cells, the heading has {len(columns)}.")
            names = (name for name, _column in columns)
            self.broken.append(dict(zip(names, cells, strict=False)))
            return None
        values: dict[str, Any] = {}
        for (name, column), cell in zip(columns, cells, strict=True):
            try:
                values[name] = parse_cell(column, cell.strip())
            except Unfit as unfit:
                self.problem(name, str(unfit))
        if len(values) < len(columns):
            self.broken.append(values)
            return None
        return self.file.row(self.line, **(self.file.empty | values))

    def stop_at_the_limit(self) -> None:
        # A file that is wrong from end to end is not read to its end.
        if self.line > MOST_ROWS or len(self.report.problems) > 10 * MOST_SHOWN:
            raise EOFError("too many lines, or too many problems")

    def tear(self, sentence: str) -> None:
        self.is_torn = True
        self.problem("", sentence)

    def problem(self, column: str, sentence: str) -> None:
        self.report.add(self.file.name, self.line, column, sentence)


def parse_cell(column: Column, cell: str) -> Any:
    if cell:
        return column.kind.parse(cell)
    if column.needed:
        raise Unfit("must not be empty.")
    return column.kind.empty
