"""What goes to paper, before it is set in type: all words and numbers, and whom they name."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Printed:
    """`data` is plain JSON; a template of the printing room says where each piece of it stands."""

    template: str
    file: str  # its name as a file, without the ending
    data: dict[str, Any]
    publication: int | None = None  # the version of the rankings that it shows
    named: frozenset[int] = field(default_factory=frozenset)  # the players whose names stand in it
    named_by_big: frozenset[int] = field(default_factory=frozenset)  # those who do as members of BIG alone
    left_out: int = 0  # those who withdrew the consent to be printed
