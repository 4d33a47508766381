"""The draws of the first game (RK-9), the second game (RK-10) and the semifinals (RK-11)."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

from pergioco.rulekit.ordering import seeded_number, seeded_order
from pergioco.rulekit.paragraph import paragraph
from risiko_master.rules.draw_facts import (
    FIVE,
    FOUR,
    Draw,
    FirstGame,
    Groups,
    Measure,
    Table,
    cliques_of,
    pairs_in,
    table_sizes,
)
from risiko_master.rules.lower_bounds import Seats, fewest_pairs, second_draw_bounds, spread_evenly
from risiko_master.rules.optimum import Optimum, Problem, find_optimum
from risiko_master.rules.seating import weight


@paragraph("RKM", "draw-1")
def first_draw(groups: Groups, seed: str) -> Draw:
    """Fifth players are drawn by lot; their groups count only for exchanges among themselves
    (RK-9)."""
    sizes = table_sizes(len(groups))
    fifths, others = fifths_and_others(in_drawn_order(groups, seed), sizes)
    found = spread_groups(
        deal_to_tables(others, len(sizes)), {player: groups[player] for player in others}, seed
    )
    seated, cost = seat_fifths(found.tables, fifths, groups)
    return Draw(
        seated, (*found.measures, Measure("group_of_fifths", cost, cost)), found.proof, fifths
    )


def in_drawn_order(players: Groups, seed: str) -> list[str]:
    known = sorted(players)
    return [known[one] for one in seeded_order(seed, dict(enumerate(known)))]


def fifths_and_others(drawn: list[str], sizes: tuple[int, ...]) -> tuple[Table, Table]:
    fives = sizes.count(FIVE)
    return tuple(drawn[:fives]), tuple(drawn[fives:])


def deal_to_tables(others: Table, tables: int) -> tuple[Table, ...]:
    return tuple(others[FOUR * table : FOUR * table + FOUR] for table in range(tables))


def spread_groups(start: tuple[Table, ...], groups: Groups, seed: str) -> Optimum:
    # Minimise pairs of the same group at one table.
    cliques = cliques_of(groups)
    pairs = dict.fromkeys(pairs_in(cliques), 1)
    fewest = fewest_pairs(cliques, lambda clique: spread_evenly(len(clique), len(start)))
    return find_optimum(Problem(start, (("group", fewest),), pairs, {}), seed)


def seat_fifths(
    tables: tuple[Table, ...], fifths: Table, groups: Groups
) -> tuple[tuple[Table, ...], int]:
    # One fifth player to each of the last tables, in the order with fewest meetings of a group.
    fours, fives = tables[: len(tables) - len(fifths)], tables[len(tables) - len(fifths) :]
    orders = list(permutations(fifths))
    met = [
        sum(count_meetings(fifth, five, groups) for fifth, five in zip(order, fives, strict=True))
        for order in orders
    ]
    best = orders[met.index(min(met))]
    return (*fours, *((*five, fifth) for five, fifth in zip(fives, best, strict=True))), min(met)


def count_meetings(player: str, table: Table, groups: Groups) -> int:
    return sum(not groups[player].isdisjoint(groups[other]) for other in table)


@paragraph("RKM", "draw-2")
def second_draw(groups: Groups, before: FirstGame, seed: str) -> Draw:
    """Four criteria in order (RK-10). Fifth players by lot among those who had no table of five;
    then all players may be exchanged, because the priorities are above the procedure."""
    sizes = table_sizes(len(groups))
    sat = sat_at_a_five(before) & frozenset(groups)
    drawn = sorted(in_drawn_order(groups, seed), key=lambda player: player in sat)
    fifths, others = fifths_and_others(drawn, sizes)
    others = tuple(player for player in in_drawn_order(groups, seed) if player not in fifths)
    start = seated_with(deal_to_tables(others, len(sizes)), fifths)
    found = find_optimum(second_draw_problem(start, groups, before, sat), seed)
    return Draw(found.tables, found.measures, found.proof)


def sat_at_a_five(before: FirstGame) -> frozenset[str]:
    return frozenset(player for table in before.tables if len(table) == FIVE for player in table)


def seated_with(tables: tuple[Table, ...], fifths: Table) -> tuple[Table, ...]:
    fours = len(tables) - len(fifths)
    return (
        *tables[:fours],
        *((*five, fifth) for five, fifth in zip(tables[fours:], fifths, strict=True)),
    )


def second_draw_problem(
    start: tuple[Table, ...], groups: Groups, before: FirstGame, sat: frozenset[str]
) -> Problem:
    winners = sorted(before.winners & set(groups))
    clubs = cliques_of(groups)
    there = [[player for player in table if player in groups] for table in before.tables]
    met = [table for table in there if table]
    fives = sum(len(table) == FIVE for table in start)
    seats = Seats(len(start) - fives, fives, len(groups), sat)
    criteria = second_draw_bounds(seats, winners=winners, clubs=clubs, met=met)
    return Problem(
        start, criteria, pair_costs([winners], clubs, met), dict.fromkeys(sat, weight(1, 0, 0, 0))
    )


def pair_costs(*criteria: Sequence[Sequence[str]]) -> dict[frozenset[str], int]:
    costs: dict[frozenset[str], int] = {}
    for pair, cost in weigh_pairs(criteria):
        costs[pair] = costs.get(pair, 0) + cost
    return costs


def weigh_pairs(
    criteria: Sequence[Sequence[Sequence[str]]],
) -> Iterator[tuple[frozenset[str], int]]:
    for place, cliques in enumerate(reversed(criteria)):
        for pair in sorted(pairs_in(cliques), key=sorted):
            yield pair, weight(1, *[0] * place)


MOST_TABLES = 4  # of one title
FIRST_BAND = 0

Order = tuple[int, ...]
Bands = Sequence[Sequence[str]]  # of one title


@paragraph("RKM", "draw-semifinals")
def semifinal_draw(titles: Sequence[Bands], groups: Groups, seed: str) -> Draw:
    """One of each band a table; by lot among all draws of least cost, each title by itself
    (RK-11)."""
    tables: list[Table] = []
    cost = 0
    for number, bands in enumerate(titles, 1):
        best, least = drawn_by_bands(bands, groups, f"{seed}:{number}")
        tables += best
        cost += least
    return Draw(tuple(tables), (Measure("group", cost, cost),), "search")


def drawn_by_bands(bands: Bands, groups: Groups, seed: str) -> tuple[list[Table], int]:
    # The first band fixes the tables; the orders of the others are searched exhaustively.
    if len(bands) != FOUR or {len(band) for band in bands} not in (
        {tables} for tables in range(1, MOST_TABLES + 1)
    ):
        raise ValueError([len(band) for band in bands])
    costs = dict(costs_of_orders(bands, groups))
    least = min(costs.values())
    cheapest = [orders for orders, cost in costs.items() if cost == least]
    orders = cheapest[seeded_number(seed, 0, below=len(cheapest))]
    return [
        tuple(band[o[table]] for band, o in zip(bands, orders, strict=True))
        for table in range(len(bands[0]))
    ], least


def costs_of_orders(bands: Bands, groups: Groups) -> Iterator[tuple[tuple[Order, ...], int]]:
    orders = list(permutations(range(len(bands[0]))))
    met = {
        (one, other, a, b): count_band_meetings(bands[one], bands[other], (a, b), groups)
        for one, other in combinations(range(FOUR), 2)
        for a, b in product(orders[:1] if one == FIRST_BAND else orders, orders)
    }
    for others in product(orders, repeat=FOUR - 1):
        chosen = (orders[0], *others)
        yield chosen, sum(met[x, y, chosen[x], chosen[y]] for x, y in combinations(range(FOUR), 2))


def count_band_meetings(
    band: Sequence[str], other: Sequence[str], orders: tuple[Order, Order], groups: Groups
) -> int:
    return sum(
        not groups[band[x]].isdisjoint(groups[other[y]]) for x, y in zip(*orders, strict=True)
    )
