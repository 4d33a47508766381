"""Players at tables, and the cost of exchanging two of them.

Players and tables are numbers here. A cost is one integer of sixteen bits a criterion: one pair of
a higher criterion outweighs all possible pairs of lower ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from risiko_master.rules.draw_facts import FIVE

BITS = 16
MASK = (1 << BITS) - 1
NO_PLAYER = -1

Tables = list[list[int]]
Pairs = dict[tuple[int, int], int]


@dataclass(frozen=True)
class Costs:
    """Costs of two players at one table, of a player at a table of five, and the lower bound
    (`goal`)."""

    pairs: Pairs
    fives: tuple[int, ...]
    goal: int
    criteria: int

    def of_table(self, size: int) -> list[int]:
        return list(self.fives) if size == FIVE else [0] * len(self.fives)


def weight(*counts: int) -> int:
    """Packs counts by criterion into one cost, highest priority first."""
    whole = 0
    for count in counts:
        whole = (whole << BITS) + count
    return whole


def split_weight(whole: int, criteria: int) -> tuple[int, ...]:
    return tuple(whole >> BITS * place & MASK for place in reversed(range(criteria)))


class Seating:
    """`costs[table][player]` is updated with each exchange, so that evaluating one is cheap."""

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
        together = sum(
            cost for (one, other), cost in costs.pairs.items() if self.at[one] == self.at[other]
        )
        self.total = sum(self.own) - together  # players' own costs contain each pair twice

    def acquaint(self, player: int, neighbour: int, cost: int) -> None:
        self.near[player].append((neighbour, cost))
        self.twice[player][neighbour] = 2 * cost
        self.costs[self.at[neighbour]][player] += cost

    def best_exchange(self, player: int, resting: Sequence[int], turn: int) -> tuple[int, int]:
        """The added cost, and the partner; among equals the first drawn. Resting players stay."""
        here, own = self.at[player], self.own[player]
        there = [row[player] - own for row in self.costs]
        return min(
            (
                (there[table] + cost - loss - twice, other)
                for other, (table, cost, loss, twice, until) in enumerate(
                    zip(
                        self.at,
                        self.costs[here],
                        self.own,
                        self.twice[player],
                        resting,
                        strict=True,
                    )
                )
                if table != here and until <= turn
            ),
            default=(0, NO_PLAYER),
        )

    def exchange(self, one: int, other: int, added: int) -> None:
        here, there = self.at[one], self.at[other]
        self.leave(one, here, there)
        self.leave(other, there, here)
        self.at[one], self.at[other] = there, here
        for player in (
            one,
            other,
            *(near for near, _ in self.near[one]),
            *(near for near, _ in self.near[other]),
        ):
            self.own[player] = self.costs[self.at[player]][player]
        self.total += added

    def leave(self, player: int, table: int, to: int) -> None:
        before, after = self.costs[table], self.costs[to]
        for near, cost in self.near[player]:
            before[near] -= cost
            after[near] += cost

    def tables(self) -> Tables:
        return tables_from_places(self.at)


def tables_from_places(at: Sequence[int]) -> Tables:
    tables: Tables = [[] for _ in range(max(at) + 1)]
    for player, table in enumerate(at):
        tables[table].append(player)
    return tables
