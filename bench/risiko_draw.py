"""How long the draws of a Master take, and how good they are: `python -m bench.risiko_draw [players
…]`.

Beside ours a naive peer in the same language: the same start, then every exchange of two players is
tried and the whole hall counted anew, until nothing improves. It gets the time that ours took
twenty times over, and no more."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from typing import Any

from bench.federation import load
from risiko_master.rules import replay
from risiko_master.rules.checker import second_costs, total_costs
from risiko_master.rules.draw_facts import FirstGame, Groups
from risiko_master.rules.draws import second_draw

PLAYERS = (32, 128, 260, 512)
TIMES = 5
PATIENCE = 20

Tables = list[list[str]]


def field(players: int) -> Groups:
    """Three players in four are of a club, the largest an eighth of the hall; one in ten has a
    family as well."""
    chance = Random(players)  # noqa: S311 - invented clubs
    clubs = range(1, 13)
    groups = {}
    for number in range(players):
        own = {chance.choices(clubs, clubs)[0]} if chance.random() < 3 / 4 else set()
        own |= {100 + chance.randrange(players // 6)} if chance.random() < 1 / 10 else set()
        groups[f"P{number:03}"] = frozenset(own)
    return groups


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    found = call()
    return time.perf_counter() - began, found


def naive(inputs: replay.Document, tables: Tables, seconds: float) -> tuple[int, ...]:
    """The cost it has reached when its time is up, or when no exchange improves it."""
    cost, until = second_costs(inputs), time.perf_counter() + seconds
    now = total_costs(tables, cost)
    seats = [(table, place) for table, seated in enumerate(tables) for place in range(len(seated))]
    improves = True
    while improves:
        improves = False
        for one, other in combinations(seats, 2):
            if time.perf_counter() > until:
                return now
            exchange(tables, one, other)
            then = total_costs(tables, cost)
            if then < now:
                now, improves = then, True
            else:
                exchange(tables, one, other)
    return now


def exchange(tables: Tables, one: tuple[int, int], other: tuple[int, int]) -> None:
    a, b = tables[one[0]][one[1]], tables[other[0]][other[1]]
    tables[one[0]][one[1]], tables[other[0]][other[1]] = b, a


def measure(players: int) -> dict[str, object]:
    groups = field(players)
    firsts = [
        timed(lambda n=n: replay.run_draw(replay.first_inputs("bench", groups), f"seed {n}"))
        for n in range(TIMES)
    ]
    tables = firsts[0][1].tables
    before = FirstGame(tables, frozenset(table[0] for table in tables))
    seconds = [timed(lambda n=n: second_draw(groups, before, f"seed {n}")) for n in range(TIMES)]
    second = seconds[0][1]
    inputs = replay.second_inputs("bench", groups, before)
    start = [
        list(table) for table in sized(sorted(groups), [len(table) for table in second.tables])
    ]
    given = PATIENCE * max(seconds[0][0], 0.01)
    spent, reached = timed(lambda: naive(inputs, start, given))
    return {
        "players": players,
        "first_ms": milliseconds(firsts),
        "second_ms": milliseconds(seconds),
        "cost": [m.cost for m in second.measures],
        "bound": [m.bound for m in second.measures],
        "proof": second.proof,
        "naive_ms": round(spent * 1000),
        "ratio": round(seconds[0][0] / spent, 3),
        "naive_cost": list(reached),
        "load": load(),
    }


def sized(players: Sequence[str], sizes: Sequence[int]) -> list[Sequence[str]]:
    return [players[sum(sizes[:table]) : sum(sizes[: table + 1])] for table in range(len(sizes))]


def milliseconds(runs: Sequence[tuple[float, Any]]) -> list[int]:
    """Median and worst."""
    taken = sorted(seconds for seconds, _ in runs)
    return [round(taken[TIMES // 2] * 1000), round(taken[-1] * 1000)]


def main(*players: int) -> None:
    for count in players or PLAYERS:
        print(json.dumps(measure(count)), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
