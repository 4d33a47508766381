"""Problems of a bundle, the counts of written rows, and the progress bar."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TextIO

MOST_SHOWN = 1000
WIDTH = 30


@dataclass(frozen=True, order=True)
class Problem:
    file: str
    line: int  # 0: the file as a whole
    column: str
    sentence: str

    def __str__(self) -> str:
        place = ", ".join(
            [self.file, *([f"line {self.line}"] if self.line else []), *filter(None, [self.column])]
        )
        return f"{place}: {self.sentence}"


@dataclass
class Report:
    """Any problem means that nothing is written; notes and differences stop nothing."""

    problems: list[Problem] = field(default_factory=list)
    # of the computed files to what was computed here
    differences: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    # kind of row -> made, changed, removed
    written: dict[str, list[int]] = field(default_factory=dict)

    def add(self, file: str, line: int, column: str, sentence: str) -> None:
        self.problems.append(Problem(file, line, column, sentence))

    def add_at(self, file: Any, row: Any, column: str, sentence: str) -> None:
        self.add(file.name, row.line, column, sentence)

    def note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def count(self, kind: type, *, made: int = 0, changed: int = 0, removed: int = 0) -> None:
        before = self.written.get(kind.__name__, [0, 0, 0])
        after = [was + more for was, more in zip(before, (made, changed, removed), strict=True)]
        if any(after):
            self.written[kind.__name__] = after

    def lines(self) -> Iterator[str]:
        return problem_lines(self.problems)


def problem_lines(problems: list[Problem]) -> Iterator[str]:
    """In the order of the files; of very many, the first ones and the number of the rest."""
    yield from map(str, sorted(problems)[:MOST_SHOWN])
    if len(problems) > MOST_SHOWN:
        yield f"… and {len(problems) - MOST_SHOWN} more."


class Progress:
    """A bar, drawn at each whole percent, in a log at each tenth; silent without a stream."""

    def __init__(self, stream: TextIO | None = sys.stderr) -> None:
        self.stream = stream
        self.label, self.total, self.done, self.drawn = "", 0, 0, -1

    def begin(self, label: str, total: int) -> None:
        self.end()
        self.label, self.total, self.done, self.drawn = label, total, 0, -1
        self.draw()

    def step(self, more: int) -> None:
        self.done += more
        self.draw()

    def draw(self) -> None:
        percent = min(100, 100 * self.done // max(self.total, 1))
        if self.stream is not None and not self.stream.isatty():
            percent -= percent % 10
        if self.stream is None or not self.label or percent == self.drawn:
            return
        self.drawn = percent
        full = "#" * (WIDTH * percent // 100)
        self.stream.write(f"\r{self.label:<18}[{full:<{WIDTH}}] {percent:3} %")
        self.stream.flush()

    def end(self) -> None:
        # Drawn as complete, whatever was counted.
        if self.label and self.stream is not None:
            self.done = max(self.done, self.total, 1)
            self.draw()
            self.stream.write("\n")
        self.label = ""
