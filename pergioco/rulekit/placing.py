"""Places: who stands before whom, by which criterion, and who shares."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Criterion:
    """A name, and how to read its value from a row: the greater value stands first."""

    code: str
    value: Any  # Callable[[T], SupportsLessThan]


class Placed(NamedTuple, Generic[T]):
    """A row with its place. `decided_by` is the criterion that put it behind the row before it; empty if they share."""

    rank: int
    row: T
    is_shared: bool
    decided_by: str


def place(rows: Iterable[T], criteria: Sequence[Criterion], *, key: Any) -> list[Placed[T]]:
    """1, 2, 2, 4: equal rows share a place and the next one is skipped. `key` only settles the order of display."""
    values = [([criterion.value(row) for criterion in criteria], row) for row in sorted(rows, key=key)]
    values.sort(key=itemgetter(0), reverse=True)
    placed: list[Placed[T]] = []
    before, rank = None, 0
    for position, (own, row) in enumerate(values, 1):
        behind = values[position][0] if position < len(values) else None
        rank = rank if own == before else position
        placed.append(Placed(rank, row, own in (before, behind), decided(own, before, criteria)))
        before = own
    return placed


def decided(own: list[Any], before: list[Any] | None, criteria: Sequence[Criterion]) -> str:
    for criterion, ours, theirs in zip(criteria, own, before or own, strict=True):
        if ours != theirs:
            return criterion.code
    return ""
