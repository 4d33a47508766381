"""The first game: fifth players by lot, everybody else at random and then apart from their own club (RK-9)."""

from itertools import permutations

from pergioco.rulekit.chance import drawn_order
from pergioco.rulekit.paragraph import paragraph
from risiko_master.rules.bounds import fewest_pairs, spread_evenly
from risiko_master.rules.draw_facts import Draw, Groups, Measure, Table, cliques_of, pairs_in
from risiko_master.rules.optimum import Optimum, Problem, optimum
from risiko_master.rules.tables import FIVE, FOUR, table_sizes


@paragraph("RKM", "draw-1")
def first_draw(groups: Groups, seed: str) -> Draw:
    """Who sits fifth is pure chance; their groups count only when they change places among themselves."""
    sizes = table_sizes(len(groups))
    fifths, others = fifths_and_others(in_drawn_order(groups, seed), sizes)
    found = spread(dealt(others, len(sizes)), {player: groups[player] for player in others}, seed)
    seated, cost = with_fifths(found.tables, fifths, groups)
    return Draw(seated, (*found.measures, Measure("group_of_fifths", cost, cost)), found.proof, fifths)


def in_drawn_order(players: Groups, seed: str) -> list[str]:
    known = sorted(players)
    return [known[one] for one in drawn_order(seed, dict(enumerate(known)))]


def fifths_and_others(drawn: list[str], sizes: tuple[int, ...]) -> tuple[Table, Table]:
    fives = sizes.count(FIVE)
    return tuple(drawn[:fives]), tuple(drawn[fives:])


def dealt(others: Table, tables: int) -> tuple[Table, ...]:
    return tuple(others[FOUR * table : FOUR * table + FOUR] for table in range(tables))


def spread(start: tuple[Table, ...], groups: Groups, seed: str) -> Optimum:
    """Exchanged until no club meets itself more than it must."""
    cliques = cliques_of(groups)
    pairs = dict.fromkeys(pairs_in(cliques), 1)
    fewest = fewest_pairs(cliques, lambda clique: spread_evenly(len(clique), len(start)))
    return optimum(Problem(start, (("group", fewest),), pairs, {}), seed)


def with_fifths(tables: tuple[Table, ...], fifths: Table, groups: Groups) -> tuple[tuple[Table, ...], int]:
    """One to each of the last tables, in the order in which they meet their own groups least."""
    fours, fives = tables[: len(tables) - len(fifths)], tables[len(tables) - len(fifths) :]
    orders = list(permutations(fifths))
    met = [sum(meetings(fifth, five, groups) for fifth, five in zip(order, fives, strict=True)) for order in orders]
    best = orders[met.index(min(met))]
    return (*fours, *((*five, fifth) for five, fifth in zip(fives, best, strict=True))), min(met)


def meetings(player: str, table: Table, groups: Groups) -> int:
    return sum(not groups[player].isdisjoint(groups[other]) for other in table)
