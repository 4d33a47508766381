"""Below which cost no draw can go, by counting alone."""

from collections.abc import Callable, Sequence

from risiko_master.rules.draw_facts import pairs_in


def spread_evenly(count: int, places: int) -> int:
    """So many people over so many places: the pairs that share one are fewest when none has two more than another."""
    if not count:
        return 0
    each, more = divmod(count, places)
    return places * (each * (each - 1) // 2) + more * each


def fewest_pairs(cliques: Sequence[Sequence[str]], fewest: Callable[[Sequence[str]], int]) -> int:
    """The sum over cliques that share no pair; one that overlaps another counts only with those who share none."""
    taken: set[frozenset[str]] = set()
    total = 0
    for clique in sorted(cliques, key=lambda c: (-len(c), list(c))):
        apart = without_pairs(clique, taken)
        taken |= pairs_in([apart])
        total += fewest(apart)
    return total


def without_pairs(clique: Sequence[str], taken: set[frozenset[str]]) -> list[str]:
    apart: list[str] = []
    for player in clique:
        if all(frozenset((player, other)) not in taken for other in apart):
            apart.append(player)
    return apart


def fewest_of_kinds(people: int, kinds: int, tables: int) -> int:
    """So many people of so many kinds at so many tables, if nobody else could stand between them."""
    if not people:
        return 0
    each, more = divmod(people, tables)
    return (tables - more) * spread_evenly(each, kinds) + more * spread_evenly(each + 1, kinds)
