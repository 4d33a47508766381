"""Every draw of a small field, but for those that are seen to be no better: what is left is the optimum."""

from collections.abc import Iterator

from risiko_master.rules.seating import Costs, Tables, tables_of

MOST_PLAYERS = 20
MOST_STEPS = 40_000  # seatings looked at; a field that needs more stays unproven
NOWHERE = -1

Options = dict[int, list[tuple[int, int]]]  # player -> (cost, table), the cheapest first


class GaveUp(Exception):
    """More steps than a page may wait for."""


class Search:
    """Players are seated one after another: next is whom it would cost most not to have the best table left to him."""

    def __init__(self, sizes: list[int], costs: Costs, least: int) -> None:
        players = sum(sizes)
        self.near: list[list[tuple[int, int]]] = [[] for _ in range(players)]
        for (one, other), cost in costs.pairs.items():
            self.near[one].append((other, cost))
            self.near[other].append((one, cost))
        self.sizes, self.free, self.at = sizes, list(sizes), [NOWHERE] * players
        self.would = [costs.of_table(size) for size in sizes]
        self.least, self.best, self.steps = least, list(self.at), 0

    def seat_all(self, cost: int, waiting: frozenset[int]) -> None:
        if not waiting:
            self.best, self.least = list(self.at), cost
            return
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise GaveUp
        options = self.options(waiting)
        at_least = cost + sum(own[0][0] for own in options.values())
        player = max(waiting, key=lambda p: (regret(options[p]), -p))
        for added, table in options[player]:
            if at_least - options[player][0][0] + added < self.least:
                self.sit(player, table)
                self.seat_all(cost + added, waiting - {player})
                self.stand_up(player, table)

    def options(self, waiting: frozenset[int]) -> Options:
        tables = list(self.open_tables())
        return {player: sorted((self.would[table][player], table) for table in tables) for player in waiting}

    def open_tables(self) -> Iterator[int]:
        """With a free seat; of those at which nobody sits, one of each size: the others are the same."""
        empty = set()
        for table, (size, free) in enumerate(zip(self.sizes, self.free, strict=True)):
            if free and not (free == size and size in empty):
                yield table
            if free == size:
                empty.add(size)

    def sit(self, player: int, table: int) -> None:
        self.at[player] = table
        self.free[table] -= 1
        for near, cost in self.near[player]:
            self.would[table][near] += cost

    def stand_up(self, player: int, table: int) -> None:
        self.at[player] = NOWHERE
        self.free[table] += 1
        for near, cost in self.near[player]:
            self.would[table][near] -= cost


def regret(own: list[tuple[int, int]]) -> int:
    """What the second best table would cost more; who has one table left comes before everybody."""
    return own[1][0] - own[0][0] if len(own) > 1 else 1 << 128


def best_of_all(tables: Tables, costs: Costs, total: int) -> tuple[Tables, bool]:
    """Tables that cost less than these, or these; and whether nothing was left out, so that they are the optimum."""
    sizes = [len(seated) for seated in tables]
    if sum(sizes) > MOST_PLAYERS:
        return tables, False
    search = Search(sizes, costs, total)
    try:
        search.seat_all(0, frozenset(range(sum(sizes))))
    except GaveUp:
        return (tables if NOWHERE in search.best else tables_of(search.best)), False
    return (tables if NOWHERE in search.best else tables_of(search.best)), True
