"""Searches the tables of least cost, from drawn tables; the same seed always takes the same
path."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pergioco.rulekit.ordering import seeded_number
from risiko_master.rules.draw_facts import Measure, Proof, Table
from risiko_master.rules.seating import (
    Costs,
    Seating,
    Tables,
    split_weight,
    tables_from_places,
    weight,
)

LOOKS = 240_000  # exchanges tried before the search gives up: about half a second
MOST_TURNS = 4_000
REST = 4  # turns that a moved player stays, and up to twice as many by chance


def improve_seating(tables: Tables, costs: Costs, seed: str) -> Tables:
    """Exchanges that save; then, until the goal is reached, the best exchange even if it costs."""
    seating = Seating(tables, costs)
    while descend_once(seating):
        pass
    if seating.total == costs.goal:
        return seating.tables()
    seating = Seating(wander_on(seating, costs, seed), costs)
    while descend_once(seating):
        pass
    return seating.tables()


def descend_once(seating: Seating) -> bool:
    # One pass over all players with a cost; whether it saved something.
    before, resting = seating.total, [0] * len(seating.at)
    for player, own in enumerate(seating.own):
        if own or seating.own[player]:
            added, other = seating.best_exchange(player, resting, 0)
            if added < 0:
                seating.exchange(player, other, added)
    return seating.total < before


def wander_on(seating: Seating, costs: Costs, seed: str) -> Tables:
    # Exchanged players rest for some turns, or the search would go in circles.
    players = len(seating.at)
    best, least, resting = list(seating.at), seating.total, [0] * players
    for turn in range(min(MOST_TURNS, LOOKS // players)):
        player = choose_player(seating, costs, f"{seed}:who", turn)
        added, other = seating.best_exchange(player, resting, turn)
        if other < 0:
            continue
        seating.exchange(player, other, added)
        resting[player] = resting[other] = (
            turn + REST + seeded_number(f"{seed}:rest", turn, below=REST)
        )
        if seating.total < least:
            best, least = list(seating.at), seating.total
        if least == costs.goal:
            break
    return tables_from_places(best)


def choose_player(seating: Seating, costs: Costs, seed: str, turn: int) -> int:
    # A player with a cost under a criterion that may still improve.
    now, goal = (
        split_weight(seating.total, costs.criteria),
        split_weight(costs.goal, costs.criteria),
    )
    above = [place for place in range(costs.criteria) if now[place] > goal[place]]
    criterion = above[turn % len(above)] if above else costs.criteria - 1
    costly = [
        p for p, own in enumerate(seating.own) if split_weight(own, costs.criteria)[criterion]
    ]
    people = costly or range(len(seating.at))
    return people[seeded_number(seed, turn, below=len(people))]


MOST_PLAYERS = 20
MOST_STEPS = 40_000  # seatings looked at; a field that needs more stays unproven
NOWHERE = -1

Options = dict[int, list[tuple[int, int]]]  # player -> (cost, table), the cheapest first


class GaveUp(Exception):
    """More steps than a page may wait for."""


class Search:
    """Branch and bound: seats next the player for whom losing the best table would cost most."""

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
        return {
            player: sorted((self.would[table][player], table) for table in tables)
            for player in waiting
        }

    def open_tables(self) -> Iterator[int]:
        # Empty tables of the same size are equivalent: try one of each size.
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
    # The extra cost of the second best table; a player with one table left comes first.
    return own[1][0] - own[0][0] if len(own) > 1 else 1 << 128


def best_seating(tables: Tables, costs: Costs, total: int) -> tuple[Tables, bool]:
    """Cheaper tables, or the given ones; and whether the search was complete, which proves the
    optimum."""
    sizes = [len(seated) for seated in tables]
    if sum(sizes) > MOST_PLAYERS:
        return tables, False
    search = Search(sizes, costs, total)
    try:
        search.seat_all(0, frozenset(range(sum(sizes))))
    except GaveUp:
        return (tables if NOWHERE in search.best else tables_from_places(search.best)), False
    return (tables if NOWHERE in search.best else tables_from_places(search.best)), True


@dataclass(frozen=True)
class Problem:
    """Drawn tables, and criteria with their bounds in order of priority."""

    start: tuple[Table, ...]
    criteria: tuple[tuple[str, int], ...]
    pairs: Mapping[frozenset[str], int]
    fives: Mapping[str, int]


@dataclass(frozen=True)
class Optimum:
    tables: tuple[Table, ...]
    measures: tuple[Measure, ...]
    proof: Proof


def find_optimum(problem: Problem, seed: str) -> Optimum:
    lots = [player for table in problem.start for player in table]
    costs, start = number_players(problem, lots)
    tables = improve_seating(start, costs, seed)
    total = Seating(tables, costs).total
    proof: Proof = "bound"
    if total != costs.goal:
        tables, is_proven = best_seating(tables, costs, total)
        total, proof = Seating(tables, costs).total, "search" if is_proven else "open"
    seated = tuple(tuple(lots[player] for player in table) for table in tables)
    return Optimum(seated, measure_costs(problem, total, costs, proof), proof)


def number_players(problem: Problem, lots: list[str]) -> tuple[Costs, Tables]:
    number = {player: place for place, player in enumerate(lots)}
    pairs = {}
    for pair, cost in problem.pairs.items():
        one, other = sorted(number[player] for player in pair)
        pairs[one, other] = cost
    fives = tuple(problem.fives.get(player, 0) for player in lots)
    goal = weight(*(bound for _, bound in problem.criteria))
    return Costs(pairs, fives, goal, len(problem.criteria)), [
        [number[p] for p in table] for table in problem.start
    ]


def measure_costs(problem: Problem, total: int, costs: Costs, proof: Proof) -> tuple[Measure, ...]:
    # After a complete search the cost itself is the bound.
    reached = split_weight(total, costs.criteria)
    return tuple(
        Measure(code, cost, cost if proof == "search" else bound)
        for (code, bound), cost in zip(problem.criteria, reached, strict=True)
    )
