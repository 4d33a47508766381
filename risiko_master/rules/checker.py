"""Checks a draw against the regulation. Shares no code with the drawing, so that one bug cannot
hide in both."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Any

FIVE = 5
Costs = tuple[int, ...]
Tables = Sequence[Sequence[str]]
CostOfTable = Callable[[Sequence[str]], Costs]


@dataclass(frozen=True)
class Finding:
    """What is wrong; the players or numbers concerned."""

    code: str
    detail: tuple[object, ...] = ()


def check_draw(inputs: Mapping[str, Any], seed: str, result: Mapping[str, Any]) -> list[Finding]:
    """Empty if all hard criteria hold, the costs are right, and no exchange would lower them."""
    titles = inputs.get("bands", ())
    semifinalists = [player for title in titles for band in title for player in band]
    expected = semifinalists if titles else list(inputs["players"])
    found = list(check_players(expected, result["tables"]))
    if found:
        return found
    checks = {1: check_first, 2: check_second, 3: check_semifinals}
    return list(checks[inputs["draw"]](inputs, seed, result))


def check_players(expected: Sequence[str], tables: Tables) -> Iterator[Finding]:
    seated = [player for table in tables for player in table]
    for player in sorted(set(expected) - set(seated)):
        yield Finding("missing", (player,))
    for player in sorted(set(seated) - set(expected)):
        yield Finding("stranger", (player,))
    for player in sorted({player for player in seated if seated.count(player) > 1}):
        yield Finding("twice", (player,))


def check_sizes(players: int, tables: Tables) -> Iterator[Finding]:
    # As few tables of five as possible, and these last.
    fives = next(
        fives for fives in range(players) if players >= 5 * fives and (players - 5 * fives) % 4 == 0
    )
    sizes = [4] * ((players - 5 * fives) // 4) + [5] * fives
    if [len(table) for table in tables] != sizes:
        yield Finding("sizes", tuple(len(table) for table in tables))


def check_first(
    inputs: Mapping[str, Any], seed: str, result: Mapping[str, Any]
) -> Iterator[Finding]:
    tables, fifths = result["tables"], result["fifths"]
    yield from check_sizes(len(inputs["players"]), tables)
    drawn = sorted(inputs["players"], key=lambda p: hashlib.sha256(f"{seed}:{p}".encode()).digest())
    if set(fifths) != set(drawn[: sum(len(table) == FIVE for table in tables)]):
        yield Finding("fifths_not_by_lot", tuple(fifths))
    if [len(set(fifths) & set(table)) for table in tables] != [
        int(len(table) == FIVE) for table in tables
    ]:
        yield Finding("fifths_not_one_a_table", tuple(fifths))
        return
    others = [[player for player in table if player not in fifths] for table in tables]
    group = group_costs(inputs)
    yield from check_costs(result, ("group", "group_of_fifths"), first_costs(others, tables, group))
    yield from check_exchanges(others, group)
    yield from check_fifths(others, tables, group)


def group_costs(inputs: Mapping[str, Any]) -> CostOfTable:
    groups = {player: set(own) for player, own in inputs["players"].items()}
    return lambda table: (sum(bool(groups[a] & groups[b]) for a, b in combinations(table, 2)),)


def first_costs(others: Tables, tables: Tables, group: CostOfTable) -> Costs:
    among_others, among_all = total_costs(others, group)[0], total_costs(tables, group)[0]
    return among_others, among_all - among_others


def check_fifths(others: Tables, tables: Tables, group: CostOfTable) -> Iterator[Finding]:
    # Fifth players may exchange places among themselves.
    fives = [(table, own) for table, own in zip(others, tables, strict=True) if len(own) == FIVE]
    fifths = [next(player for player in own if player not in table) for table, own in fives]
    now = total_costs([own for _, own in fives], group)
    for order in permutations(fifths):
        if (
            total_costs(
                [[*table, fifth] for (table, _), fifth in zip(fives, order, strict=True)], group
            )
            < now
        ):
            yield Finding("better_fifths", order)


def check_second(
    inputs: Mapping[str, Any], seed: str, result: Mapping[str, Any]
) -> Iterator[Finding]:
    tables = result["tables"]
    yield from check_sizes(len(inputs["players"]), tables)
    cost = second_costs(inputs)
    yield from check_costs(result, ("repeat", "winners", "group", "met"), total_costs(tables, cost))
    yield from check_exchanges(tables, cost)


def second_costs(inputs: Mapping[str, Any]) -> CostOfTable:
    """Of one table: repeated seats at a five, pairs of winners, of a group, and pairs who have
    met."""
    before = {
        player: number for number, table in enumerate(inputs["tables_before"]) for player in table
    }
    sat = {player for table in inputs["tables_before"] if len(table) == FIVE for player in table}
    winners, group = set(inputs["winners"]), group_costs(inputs)

    def cost(table: Sequence[str]) -> Costs:
        won = sum(player in winners for player in table)
        met = sum(before.get(a, a) == before.get(b, b) for a, b in combinations(table, 2))
        return (
            len(sat.intersection(table)) if len(table) == FIVE else 0,
            won * (won - 1) // 2,
            *group(table),
            met,
        )

    return cost


def total_costs(tables: Tables, cost: CostOfTable) -> Costs:
    return tuple(map(sum, zip(*map(cost, tables), strict=True))) or (0,)


def check_costs(result: Mapping[str, Any], codes: Sequence[str], costs: Costs) -> Iterator[Finding]:
    said = [(measure["code"], measure["cost"]) for measure in result["measures"]]
    true = list(zip(codes, costs, strict=True))
    if said != true:
        yield Finding("costs", tuple(true))
    if any(measure["cost"] < measure["bound"] for measure in result["measures"]):
        yield Finding("cost_below_bound")


def check_exchanges(tables: Tables, cost: CostOfTable) -> Iterator[Finding]:
    # An exchange must not lower a criterion without raising an earlier one.
    costs = [cost(table) for table in tables]
    for one, other in combinations(range(len(tables)), 2):
        now = add_costs(costs[one], costs[other])
        if any(now):
            yield from better_exchanges(tables[one], tables[other], now, cost)


def better_exchanges(
    table: Sequence[str], other: Sequence[str], now: Costs, cost: CostOfTable
) -> Iterator[Finding]:
    for a, b in product(table, other):
        then = add_costs(
            cost([b if p == a else p for p in table]), cost([a if p == b else p for p in other])
        )
        if then < now:
            yield Finding("better_exchange", (a, b))


def add_costs(one: Costs, other: Costs) -> Costs:
    return tuple(map(sum, zip(one, other, strict=True)))


def check_semifinals(
    inputs: Mapping[str, Any], seed: str, result: Mapping[str, Any]
) -> Iterator[Finding]:
    # One player of each band a table; exchanges within a band must not lower the cost.
    tables, group = result["tables"], group_costs(inputs)
    band = dict(player_bands(inputs["bands"]))
    for number, table in enumerate(tables, 1):
        if len({band[p][0] for p in table}) != 1 or sorted(band[p][1] for p in table) != [
            0,
            1,
            2,
            3,
        ]:
            yield Finding("bands", (number,))
    yield from check_costs(result, ("group",), total_costs(tables, group))
    for one, other in combinations(tables, 2):
        now = add_costs(group(one), group(other))
        for found in better_exchanges(one, other, now, group) if any(now) else ():
            if band[str(found.detail[0])] == band[str(found.detail[1])]:
                yield found


def player_bands(titles: Sequence[Tables]) -> Iterator[tuple[str, tuple[int, int]]]:
    for number, title in enumerate(titles):
        for band, players in enumerate(title):
            yield from ((player, (number, band)) for player in players)
