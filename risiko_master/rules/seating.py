"""Players at tables, and what each exchange of two of them would cost or save.

Players and tables are numbers here. Costs are integers that hold all criteria in their order of priority, sixteen bits
each: one pair of a higher criterion outweighs all that the lower ones can have.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from risiko_master.rules.tables import FIVE

BITS = 16
MASK = (1 << BITS) - 1
NOBODY = -1

Tables = list[list[int]]
Pairs = dict[tuple[int, int], int]


@dataclass(frozen=True)
class Costs:
    """What two players cost at one table, what each costs at a table of five, and what nobody can undercut."""

    pairs: Pairs
    fives: tuple[int, ...]
    goal: int
    criteria: int

    def of_table(self, size: int) -> list[int]:
        """What each player costs there, whoever the others are."""
        return list(self.fives) if size == FIVE else [0] * len(self.fives)


def weight(*counts: int) -> int:
    """The first outweighs the others."""
    whole = 0
    for count in counts:
        whole = (whole << BITS) + count
    return whole


def counts(whole: int, criteria: int) -> tuple[int, ...]:
    return tuple(whole >> BITS * place & MASK for place in reversed(range(criteria)))


class Seating:
    """Who sits where. `costs[table][player]` is kept true with each exchange: looking at one then costs little."""

    def __init__(self, tables: Sequence[Sequence[int]], costs: Costs) -> None:
        players = sum(map(len, tables))
        self.at = [0] * players
        for table, seated in enumerate(tables):
            for player in seated:
                self.at[player] = table
        self.costs = [costs.of_table(len(seated)) for seated in tables]
        self.near: list[list[tuple[int, int]]] = [[] for _ in range(players)]
        self.twice = [[0] * players for _ in range(players)]
        for (one, other), cost in costs.pairs.items():
            self.acquaint(one, other, cost)
            self.acquaint(other, one, cost)
        self.own = [self.costs[table][player] for player, table in enumerate(self.at)]
        together = sum(cost for (one, other), cost in costs.pairs.items() if self.at[one] == self.at[other])
        self.total = sum(self.own) - together  # everybody's own costs have each pair twice

    def acquaint(self, player: int, neighbour: int, cost: int) -> None:
        self.near[player].append((neighbour, cost))
        self.twice[player][neighbour] = 2 * cost
        self.costs[self.at[neighbour]][player] += cost

    def best_exchange(self, player: int, resting: Sequence[int], turn: int) -> tuple[int, int]:
        """What it adds to the total, and with whom; of equals the one drawn first. Who rests stays where he is."""
        here, own = self.at[player], self.own[player]
        there = [row[player] - own for row in self.costs]
        return min(
            (
                (there[table] + cost - loss - twice, other)
                for other, (table, cost, loss, twice, until) in enumerate(
                    zip(self.at, self.costs[here], self.own, self.twice[player], resting, strict=True)
                )
                if table != here and until <= turn
            ),
            default=(0, NOBODY),
        )

    def exchange(self, one: int, other: int, added: int) -> None:
        here, there = self.at[one], self.at[other]
        self.leave(one, here, there)
        self.leave(other, there, here)
        self.at[one], self.at[other] = there, here
        for player in (one, other, *(near for near, _ in self.near[one]), *(near for near, _ in self.near[other])):
            self.own[player] = self.costs[self.at[player]][player]
        self.total += added

    def leave(self, player: int, table: int, to: int) -> None:
        before, after = self.costs[table], self.costs[to]
        for near, cost in self.near[player]:
            before[near] -= cost
            after[near] += cost

    def tables(self) -> Tables:
        return tables_of(self.at)


def tables_of(at: Sequence[int]) -> Tables:
    tables: Tables = [[] for _ in range(max(at) + 1)]
    for player, table in enumerate(at):
        tables[table].append(player)
    return tables
