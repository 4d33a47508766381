"""The content of a printed document, before layout."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Printed:
    """`data` is plain JSON, laid out by the template."""

    template: str
    file: str  # without extension
    data: dict[str, Any]
    publication: int | None = None  # whose rankings it shows
    named: frozenset[int] = field(default_factory=frozenset)  # players named in it
    # players named only as members of BIG
    named_by_big: frozenset[int] = field(default_factory=frozenset)
    left_out: int = 0  # how many withdrew the consent to be printed
