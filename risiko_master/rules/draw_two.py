"""The second game: four criteria in order, each minimised before the next is looked at (RK-10)."""

from collections.abc import Iterator, Sequence

from pergioco.rulekit.paragraph import paragraph
from risiko_master.rules.draw_facts import Draw, FirstGame, Groups, Table, cliques_of, pairs_in
from risiko_master.rules.draw_one import dealt, fifths_and_others, in_drawn_order
from risiko_master.rules.optimum import Problem, optimum
from risiko_master.rules.seating import weight
from risiko_master.rules.second_bounds import Seats, bounds
from risiko_master.rules.tables import FIVE, table_sizes


@paragraph("RKM", "draw-2")
def second_draw(groups: Groups, before: FirstGame, seed: str) -> Draw:
    """Fifth players by lot among those who sat at no table of five; then everybody may be exchanged with everybody,
    because the order of priorities is above the procedure."""
    sizes = table_sizes(len(groups))
    sat = sat_at_a_five(before) & frozenset(groups)
    drawn = sorted(in_drawn_order(groups, seed), key=lambda player: player in sat)
    fifths, others = fifths_and_others(drawn, sizes)
    others = tuple(player for player in in_drawn_order(groups, seed) if player not in fifths)
    start = seated_with(dealt(others, len(sizes)), fifths)
    found = optimum(problem_of(start, groups, before, sat), seed)
    return Draw(found.tables, found.measures, found.proof)


def sat_at_a_five(before: FirstGame) -> frozenset[str]:
    return frozenset(player for table in before.tables if len(table) == FIVE for player in table)


def seated_with(tables: tuple[Table, ...], fifths: Table) -> tuple[Table, ...]:
    fours = len(tables) - len(fifths)
    return (*tables[:fours], *((*five, fifth) for five, fifth in zip(tables[fours:], fifths, strict=True)))


def problem_of(start: tuple[Table, ...], groups: Groups, before: FirstGame, sat: frozenset[str]) -> Problem:
    winners = sorted(before.winners & set(groups))
    clubs = cliques_of(groups)
    there = [[player for player in table if player in groups] for table in before.tables]
    met = [table for table in there if table]
    fives = sum(len(table) == FIVE for table in start)
    seats = Seats(len(start) - fives, fives, len(groups), sat)
    criteria = bounds(seats, winners=winners, clubs=clubs, met=met)
    return Problem(start, criteria, pair_costs([winners], clubs, met), dict.fromkeys(sat, weight(1, 0, 0, 0)))


def pair_costs(*criteria: Sequence[Sequence[str]]) -> dict[frozenset[str], int]:
    costs: dict[frozenset[str], int] = {}
    for pair, cost in weighed(criteria):
        costs[pair] = costs.get(pair, 0) + cost
    return costs


def weighed(criteria: Sequence[Sequence[Sequence[str]]]) -> Iterator[tuple[frozenset[str], int]]:
    for place, cliques in enumerate(reversed(criteria)):
        for pair in sorted(pairs_in(cliques), key=sorted):
            yield pair, weight(1, *[0] * place)
