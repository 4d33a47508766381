"""Semifinals: one of each band at each table, by lot among the draws in which a club meets itself least (RK-11)."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

from pergioco.rulekit.chance import drawn_number
from pergioco.rulekit.paragraph import paragraph
from risiko_master.rules.draw_facts import Draw, Groups, Measure, Table
from risiko_master.rules.tables import FOUR

MOST_TABLES = 4  # of one title
FIRST_BAND = 0

Order = tuple[int, ...]
Bands = Sequence[Sequence[str]]  # of one title


@paragraph("RKM", "draw-semifinals")
def semifinal_draw(titles: Sequence[Bands], groups: Groups, seed: str) -> Draw:
    """Each title has its own bands and tables. Every draw is looked at: what is left could not be avoided."""
    tables: list[Table] = []
    cost = 0
    for number, bands in enumerate(titles, 1):
        best, least = drawn_by_bands(bands, groups, f"{seed}:{number}")
        tables += best
        cost += least
    return Draw(tuple(tables), (Measure("group", cost, cost),), "search")


def drawn_by_bands(bands: Bands, groups: Groups, seed: str) -> tuple[list[Table], int]:
    """The first band gives the tables; every order of the others is as likely, if it costs as little."""
    if len(bands) != FOUR or {len(band) for band in bands} not in ({tables} for tables in range(1, MOST_TABLES + 1)):
        raise ValueError([len(band) for band in bands])
    costs = dict(costs_of_orders(bands, groups))
    least = min(costs.values())
    cheapest = [orders for orders, cost in costs.items() if cost == least]
    orders = cheapest[drawn_number(seed, 0, below=len(cheapest))]
    return [
        tuple(band[o[table]] for band, o in zip(bands, orders, strict=True)) for table in range(len(bands[0]))
    ], least


def costs_of_orders(bands: Bands, groups: Groups) -> Iterator[tuple[tuple[Order, ...], int]]:
    orders = list(permutations(range(len(bands[0]))))
    met = {
        (one, other, a, b): meetings(bands[one], bands[other], (a, b), groups)
        for one, other in combinations(range(FOUR), 2)
        for a, b in product(orders[:1] if one == FIRST_BAND else orders, orders)
    }
    for others in product(orders, repeat=FOUR - 1):
        chosen = (orders[0], *others)
        yield chosen, sum(met[x, y, chosen[x], chosen[y]] for x, y in combinations(range(FOUR), 2))


def meetings(band: Sequence[str], other: Sequence[str], orders: tuple[Order, Order], groups: Groups) -> int:
    return sum(not groups[band[x]].isdisjoint(groups[other[y]]) for x, y in zip(*orders, strict=True))
