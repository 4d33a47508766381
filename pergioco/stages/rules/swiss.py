"""Swiss pairings: nobody meets twice, nobody rests twice, and points are as close as they can be."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import networkx as nx

from pergioco.stages.rules.berger import Pair

REST = 0  # stands for the empty chair in the matching
OUTWEIGHS = 10**9  # more than any wish can add up to over all tables of a round


@dataclass(frozen=True)
class Standing:
    """What the pairing of the next round needs to know of one player."""

    player: int
    points: Decimal
    met: frozenset[int]
    rested: bool
    first_seats: int  # how often he had the first seat, less how often the second


@dataclass(frozen=True)
class Round:
    pairs: tuple[Pair, ...]
    rematches: tuple[Pair, ...]  # empty unless there was no other way


def pair(standings: list[Standing], drawn: Sequence[int]) -> Round:
    """The whole field at once: a matching of greatest weight, where each wish outweighs all those below it.

    `drawn` holds the players in the order of their lots, which decide where nothing else does.
    """
    order = {player: place for place, player in enumerate(drawn)}
    field = sorted(standings, key=lambda s: (-s.points, order[s.player]))
    matching = nx.max_weight_matching(graph(field), maxcardinality=True)
    by_player = {s.player: s for s in field}
    pairs = [seats(by_player, order, *sorted(couple)) for couple in matching]
    pairs.sort(key=lambda couple: table_order(couple, by_player, order))
    again = tuple(c for c in pairs if len(c) > 1 and c[1] in by_player[c[0]].met)
    return Round(tuple(pairs), again)


def graph(field: list[Standing]) -> "nx.Graph[int]":
    """An edge for each possible table; the heavier, the better."""
    levels = groups(field)
    edges: nx.Graph[int] = nx.Graph()
    edges.add_nodes_from(s.player for s in field)
    for place, a in enumerate(field):
        for b in field[place + 1 :]:
            edges.add_edge(a.player, b.player, weight=-weigh(wishes(a, b, levels)))
        if len(field) % 2:
            edges.add_edge(REST, a.player, weight=-weigh((int(a.rested), len(field) - place, 0, 0, 0)))
    return edges


def weigh(broken: tuple[int, ...]) -> int:
    """One number in which each wish outweighs all those after it, summed over every table."""
    total = 0
    for wish in broken:
        total = total * OUTWEIGHS + wish
    return total


def groups(field: list[Standing]) -> dict[int, tuple[int, int]]:
    """Player -> place in his score group, and the size of the group."""
    found: dict[Decimal, list[int]] = {}
    for s in field:
        found.setdefault(s.points, []).append(s.player)
    return {player: (place, len(members)) for members in found.values() for place, player in enumerate(members)}


def wishes(a: Standing, b: Standing, levels: dict[int, tuple[int, int]]) -> tuple[int, ...]:
    """How far this table is from each wish: no rematch; the last one rests; close points; the first half of a group
    against the second; seats that can be balanced."""
    gap = int(abs(a.points - b.points) * 2)
    (place, members), (other, _) = levels[a.player], levels[b.player]
    fold = abs(abs(place - other) - members // 2) if gap == 0 else 0
    same_seats = int(a.first_seats == b.first_seats and a.first_seats != 0)
    return int(b.player in a.met), 0, gap * gap, fold, same_seats


def seats(by_player: dict[int, Standing], order: dict[int, int], a: int, b: int) -> Pair:
    """Who had the first seat less often has it now."""
    if REST in (a, b):
        return (a or b,)
    return tuple(sorted((a, b), key=lambda p: (by_player[p].first_seats, order[p])))


def table_order(couple: Pair, by_player: dict[int, Standing], order: dict[int, int]) -> tuple[bool, Decimal, int]:
    """The first tables for the most points; who rests stands last."""
    best = max(by_player[p].points for p in couple)
    return len(couple) == 1, -best, min(order[p] for p in couple)
