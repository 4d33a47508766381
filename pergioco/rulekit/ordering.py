"""Places by criteria, and random orders that anyone can repeat from the seed."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Criterion:
    """A name and a getter; the greater value ranks first."""

    code: str
    value: Any  # Callable[[T], SupportsLessThan]


class Placed(NamedTuple, Generic[T]):
    """`decided_by` is the criterion that put the row behind the previous one; empty if they
    share the place."""

    rank: int
    row: T
    is_shared: bool
    decided_by: str


def assign_places(rows: Iterable[T], criteria: Sequence[Criterion], *, key: Any) -> list[Placed[T]]:
    """1, 2, 2, 4: equal rows share a place and the next one is skipped. `key` only orders the
    display."""
    shown = sorted(rows, key=key)
    values = list(zip(*(map(criterion.value, shown) for criterion in criteria), strict=True))
    best_first = sorted(range(len(shown)), key=values.__getitem__, reverse=True)
    placed: list[Placed[T]] = []
    before = None
    for own, group in groupby(best_first, key=values.__getitem__):
        rank, sharing = len(placed) + 1, list(group)
        by = deciding_criterion(own, before, criteria)
        for at in sharing:
            placed.append(Placed(rank, shown[at], len(sharing) > 1, by))
            by = ""
        before = own
    return placed


def deciding_criterion(
    own: tuple[Any, ...], before: tuple[Any, ...] | None, criteria: Sequence[Criterion]
) -> str:
    for criterion, ours, theirs in zip(criteria, own, before or own, strict=True):
        if ours != theirs:
            return criterion.code
    return ""


def seeded_order(seed: str, players: Mapping[int, str]) -> list[int]:
    """`players`: player -> public id. Sorted by the hash of seed and public id, so that anyone
    can verify it."""
    return sorted(
        players, key=lambda player: hashlib.sha256(f"{seed}:{players[player]}".encode()).digest()
    )


def seeded_number(seed: str, turn: int, *, below: int) -> int:
    """0 to below-1. The remainder of 256 bits prefers none by more than one part in 2**200."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{turn}".encode()).digest(), "big") % below
