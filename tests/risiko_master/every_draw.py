"""The plainest search there is: every way to sit at tables, each counted by hand."""

from itertools import combinations


def seatings(players, sizes):
    """Each partition once: at every size of table the first of those left sits at the next table or
    at a later size."""
    if not sizes:
        yield []
        return
    first_size = sizes[0]
    if len(set(sizes)) == 1:
        first, others = players[0], players[1:]
        for with_him in combinations(others, first_size - 1):
            left = [p for p in others if p not in with_him]
            for tables in seatings(left, sizes[1:]):
                yield [(first, *with_him), *tables]
        return
    same = [size for size in sizes if size == first_size]
    for here in combinations(players, first_size * len(same)):
        left = [p for p in players if p not in here]
        for tables in seatings(list(here), same):
            for others in seatings(left, sizes[len(same) :]):
                yield [*tables, *others]


def pairs_of(tables, alike):
    return sum(bool(alike(a, b)) for table in tables for a, b in combinations(table, 2))


def least_of_second(groups, before, sizes):
    """(repeats, winners, group, met) of the best seating of all."""
    sat = {p for table in before.tables if len(table) == 5 for p in table}
    at = {p: number for number, table in enumerate(before.tables) for p in table}
    cost = {
        frozenset((a, b)): (
            int(a in before.winners and b in before.winners),
            int(bool(groups[a] & groups[b])),
            int(at.get(a, a) == at.get(b, b)),
        )
        for a, b in combinations(sorted(groups), 2)
    }

    def costs_of(tables):
        repeats = sum(p in sat for table in tables if len(table) == 5 for p in table)
        pairs = [cost[frozenset(pair)] for table in tables for pair in combinations(table, 2)]
        return (repeats, *map(sum, zip(*pairs, strict=True)))

    return min(costs_of(tables) for tables in seatings(sorted(groups), list(sizes)))
