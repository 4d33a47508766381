"""From lines to rows: every cell that does not fit is a problem, and the reading goes on."""

import csv
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic

from pergioco.imports.bundle.cells import Column, Unfit
from pergioco.imports.bundle.files import COMPUTED, FACTS, File, R
from pergioco.imports.bundle.opening import Bundle
from pergioco.imports.bundle.problems import MOST_SHOWN, Report

MOST_ROWS = 5_000_000
BROKEN = (csv.Error, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError)
Step = Callable[[int], None]


@dataclass
class Tables:
    """The rows of every file, by its name."""

    rows: dict[str, list[Any]] = field(default_factory=dict)
    broken: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # what could be read of the others
    torn: set[str] = field(default_factory=set)  # files of which more may stand there than could be read

    def names(self, file: File[Any], column: str) -> set[Any]:
        """In all rows, also in those where another cell is wrong: one mistake is told once."""
        named = {getattr(row, column) for row in self.of(file)}
        return named | {row.get(column) for row in self.broken.get(file.name, [])}

    def doubtful(self, file: File[Any], column: str) -> set[Any]:
        return {row.get(column) for row in self.broken.get(file.name, [])}

    def of(self, file: File[R]) -> list[R]:
        return self.rows.get(file.name, [])


def read(bundle: Bundle, report: Report, step: Step) -> Tables:
    tables = Tables()
    for file in (*FACTS, *COMPUTED):
        if file.name in bundle.names():
            reading = Reading(file, report)
            tables.rows[file.name] = list(reading.rows(bundle, step))
            tables.broken[file.name] = reading.broken
            tables.torn |= {file.name} if reading.is_torn else set()
    return tables


def stepping(lines: Iterator[str], step: Step) -> Iterator[str]:
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
                yield from self.rows_of(stepping(lines, step))
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
        """In the order of the file; none at all if the heading is wrong."""
        known = self.file.columns
        named = [name.strip() for name in heading]
        wrong = {name: f"No such column. The columns are {', '.join(known)}." for name in named if name not in known}
        wrong |= {name: "This column stands here twice." for name in named if named.count(name) > 1}
        wrong |= {n: "This column is missing." for n, column in known.items() if column.needed and n not in named}
        for name, sentence in wrong.items():
            self.problem(name or "(without a name)", sentence)
        self.is_torn = bool(wrong)
        return [] if wrong else [(name, known[name]) for name in named]

    def row_of(self, columns: list[tuple[str, Column]], cells: list[str]) -> R | None:
        if len(cells) != len(columns):
            self.problem("", f"This line has {len(cells)} cells, the heading has {len(columns)}.")
            self.broken.append({name: cell for (name, _column), cell in zip(columns, cells, strict=False)})
            return None
        values: dict[str, Any] = {}
        for (name, column), cell in zip(columns, cells, strict=True):
            try:
                values[name] = value_of(column, cell.strip())
            except Unfit as unfit:
                self.problem(name, str(unfit))
        if len(values) < len(columns):
            self.broken.append(values)
            return None
        return self.file.row(self.line, *(values.get(n, column.empty) for n, column in self.file.columns.items()))

    def stop_at_the_limit(self) -> None:
        """A file that is wrong from end to end is not read to its end."""
        if self.line > MOST_ROWS or len(self.report.problems) > 10 * MOST_SHOWN:
            raise EOFError("too many lines, or too many problems")

    def tear(self, sentence: str) -> None:
        self.is_torn = True
        self.problem("", sentence)

    def problem(self, column: str, sentence: str) -> None:
        self.report.add(self.file.name, self.line, column, sentence)


def value_of(column: Column, cell: str) -> Any:
    if cell:
        return column.parse(cell)
    if column.needed:
        raise Unfit("must not be empty.")
    return column.empty
