"""Papers, choices and exports by name; each app registers its own in `AppConfig.ready()`."""

from collections.abc import Callable, Iterator, Sequence
from typing import IO

from django.utils.translation import override

from pergioco.rulekit.printed import Printed

Rows = dict[str, int]  # table -> how many rows
# (year, what it is about, sections) -> what to print, or None
Paper = Callable[[int, str, Sequence[str]], Printed | None]
Choices = Callable[[], list[tuple[str, str]]]  # keys and their words
Writer = Callable[[IO[bytes], int, Callable[[Rows], None]], Rows]  # (into, year, report progress)
EXPECTED = {
    "paper": ("season", "ranking", "certificate", "poster"),
    "choice": ("sections", "rankings"),
    "export": ("rankings", "stages", "year", "tables", "federation"),
}
papers: dict[str, Paper] = {}
offered: dict[str, Choices] = {}
exports: dict[str, Writer] = {}


def register_paper(kind: str, read: Paper) -> None:
    papers[kind] = read


def register_choices(name: str, find: Choices) -> None:
    offered[name] = find


def register_export(what: str, write: Writer) -> None:
    exports[what] = write


def find_registry_problems() -> Iterator[str]:
    found = {"paper": papers.keys(), "choice": offered.keys(), "export": exports.keys()}
    for sort, names in EXPECTED.items():
        for name in sorted(set(names) ^ found[sort]):
            yield f"The {sort} “{name}” is {'expected' if name in names else 'registered'} only."


def read_paper(
    kind: str, language: str, *, year: int, about: str = "", sections: Sequence[str] = ()
) -> Printed | None:
    """In that language; None if there is nothing to print."""
    with override(language):
        return papers[kind](year, about, sections)


def list_sections() -> list[tuple[str, str]]:
    return offered["sections"]()


def list_rankings() -> list[tuple[str, str]]:
    return offered["rankings"]()


def get_writer(what: str) -> Writer:
    return exports[what]
