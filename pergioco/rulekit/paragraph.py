"""Links functions to the numbered paragraphs that they implement."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, order=True)
class Paragraph:
    regulation: str
    number: str

    def __str__(self) -> str:
        return f"{self.regulation} {self.number}"


IMPLEMENTED_BY: dict[Paragraph, list[str]] = {}


def paragraph(regulation: str, *numbers: int | str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Marks the function with its paragraphs; `docs/regulations/` is checked against these
    marks."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        for number in numbers:
            name = f"{function.__module__}.{function.__qualname__}"
            IMPLEMENTED_BY.setdefault(Paragraph(regulation, str(number)), []).append(name)
        return function

    return mark
