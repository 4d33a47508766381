"""Places: who stands before whom, by which criterion, and who shares."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
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
    shown = sorted(rows, key=key)
    values = list(zip(*(map(criterion.value, shown) for criterion in criteria), strict=True))
    best_first = sorted(range(len(shown)), key=values.__getitem__, reverse=True)
    placed: list[Placed[T]] = []
    before = None
    for own, group in groupby(best_first, key=values.__getitem__):
        rank, sharing = len(placed) + 1, list(group)
        by = decided(own, before, criteria)
        for at in sharing:
            placed.append(Placed(rank, shown[at], len(sharing) > 1, by))
            by = ""
        before = own
    return placed


def decided(own: tuple[Any, ...], before: tuple[Any, ...] | None, criteria: Sequence[Criterion]) -> str:
    for criterion, ours, theirs in zip(criteria, own, before or own, strict=True):
        if ours != theirs:
            return criterion.code
    return ""
