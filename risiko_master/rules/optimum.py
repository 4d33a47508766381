"""From players drawn to tables to the tables that cost least, and the proof that none cost less where there is one."""

from collections.abc import Mapping
from dataclasses import dataclass

from risiko_master.rules.draw_facts import Measure, Proof, Table
from risiko_master.rules.exhaustive import best_of_all
from risiko_master.rules.searching import improved
from risiko_master.rules.seating import Costs, Seating, Tables, counts, weight


@dataclass(frozen=True)
class Problem:
    """Tables as drawn, and what is to be kept apart: criteria with their bounds, the first before all others."""

    start: tuple[Table, ...]
    criteria: tuple[tuple[str, int], ...]
    pairs: Mapping[frozenset[str], int]
    fives: Mapping[str, int]


@dataclass(frozen=True)
class Optimum:
    tables: tuple[Table, ...]
    measures: tuple[Measure, ...]
    proof: Proof


def optimum(problem: Problem, seed: str) -> Optimum:
    lots = [player for table in problem.start for player in table]
    costs, start = in_numbers(problem, lots)
    tables = improved(start, costs, seed)
    total = Seating(tables, costs).total
    proof: Proof = "bound"
    if total != costs.goal:
        tables, is_proven = best_of_all(tables, costs, total)
        total, proof = Seating(tables, costs).total, "search" if is_proven else "open"
    seated = tuple(tuple(lots[player] for player in table) for table in tables)
    return Optimum(seated, measures(problem, total, costs, proof), proof)


def in_numbers(problem: Problem, lots: list[str]) -> tuple[Costs, Tables]:
    number = {player: place for place, player in enumerate(lots)}
    pairs = {}
    for pair, cost in problem.pairs.items():
        one, other = sorted(number[player] for player in pair)
        pairs[one, other] = cost
    fives = tuple(problem.fives.get(player, 0) for player in lots)
    goal = weight(*(bound for _, bound in problem.criteria))
    return Costs(pairs, fives, goal, len(problem.criteria)), [[number[p] for p in table] for table in problem.start]


def measures(problem: Problem, total: int, costs: Costs, proof: Proof) -> tuple[Measure, ...]:
    """Where everything was looked at, what is left could not be avoided."""
    reached = counts(total, costs.criteria)
    return tuple(
        Measure(code, cost, cost if proof == "search" else bound)
        for (code, bound), cost in zip(problem.criteria, reached, strict=True)
    )
