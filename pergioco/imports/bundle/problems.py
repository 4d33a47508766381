"""All that is wrong with a bundle, said at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field

MOST_SHOWN = 1000


@dataclass(frozen=True, order=True)
class Problem:
    file: str
    line: int  # 0: the file as a whole
    column: str
    sentence: str

    def __str__(self) -> str:
        place = ", ".join([self.file, *([f"line {self.line}"] if self.line else []), *filter(None, [self.column])])
        return f"{place}: {self.sentence}"


@dataclass
class Report:
    """What loading found and did. With a problem nothing is written; a note or a difference stops nothing."""

    problems: list[Problem] = field(default_factory=list)
    differences: list[Problem] = field(default_factory=list)  # of the computed files to what was computed here
    notes: list[str] = field(default_factory=list)
    written: dict[str, list[int]] = field(default_factory=dict)  # kind of row -> made, changed, removed

    def add(self, file: str, line: int, column: str, sentence: str) -> None:
        self.problems.append(Problem(file, line, column, sentence))

    def differ(self, file: str, line: int, column: str, sentence: str) -> None:
        self.differences.append(Problem(file, line, column, sentence))

    def note(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes.append(sentence)

    def count(self, kind: str, *, made: int = 0, changed: int = 0, removed: int = 0) -> None:
        before = self.written.get(kind, [0, 0, 0])
        after = [was + more for was, more in zip(before, (made, changed, removed), strict=True)]
        if any(after):
            self.written[kind] = after

    def lines(self) -> Iterator[str]:
        return shown(self.problems)


def shown(problems: list[Problem]) -> Iterator[str]:
    """In the order of the files; of very many, the first ones and how many more there are."""
    yield from map(str, sorted(problems)[:MOST_SHOWN])
    if len(problems) > MOST_SHOWN:
        yield f"… and {len(problems) - MOST_SHOWN} more."
