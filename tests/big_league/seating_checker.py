"""Looks at a seating from outside: nothing of the code that made it is used."""

from collections import Counter
from collections.abc import Iterator, Sequence


def faults(tables: Sequence[Sequence[int]], players: Sequence[int], *, pairs: bool) -> list[str]:
    found = []
    if Counter(p for table in tables for p in table) != Counter(players):
        found.append("somebody is seated twice or nowhere")
    lengths = [len(table) for table in tables]
    if lengths != sorted(lengths, reverse=True):
        found.append("a smaller table stands before a greater one")
    if pairs and any(size != 2 for size in lengths[: len(players) // 2]):
        found.append("not two at a table")
    if not pairs and (max(lengths) - min(lengths) > 1 or min(lengths) < 3):
        found.append("sizes")
    return found


def matchings(players: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to pair them all, in the order of those who come first."""
    if not players:
        yield ()
        return
    first, *others = players
    for second in others:
        for rest in matchings([p for p in others if p != second]):
            yield ((first, second), *rest)


def best_without(
    players: Sequence[int], barred: set[frozenset[int]]
) -> tuple[tuple[int, int], ...] | None:
    """The first of all the ways in which no barred pair meets."""
    return next(
        (way for way in matchings(players) if not any(frozenset(pair) in barred for pair in way)),
        None,
    )
