"""Seating of a BIG round in milliseconds, and how it grows: `python -m bench.big_seating`.

`two_players` finds the pairings in which fewest meet again; beside it `one_by_one`, what a person
does with cards, which may end with two who met before. `ratio` is the one to the other."""

import json
import statistics
import time
from collections.abc import Callable

from bench.federation import load
from big_league.rules.seating import (
    draw_first_round,
    heads_of_series,
    pair_players,
    seat_by_standings,
    sizes_of_tables,
)
from pergioco.rulekit.ordering import seeded_order

PLAYERS, GROWTH, TIMES, WANTED = 200, (1, 4, 16), 7, 4


def drawn(count: int) -> list[int]:
    return seeded_order("bench", {player: f"id{player}" for player in range(count)})


def first(count: int) -> None:
    shape = sizes_of_tables(count, WANTED)
    draw_first_round(drawn(count), shape, heads_of_series(0, range(count), shape=shape))


def swiss(count: int) -> None:
    seat_by_standings(range(count), sizes_of_tables(count, WANTED))


def two_players(count: int) -> None:
    """Nearly everybody would meet the same opponent again."""
    met = [(player, player + 1) for player in range(0, count - 1, 2)]
    pair_players(range(count), met, {})


def one_by_one(count: int) -> None:
    """The peer: everybody in turn sits down with the next one whom he has not met, as with cards on
    a table."""
    met = {frozenset((player, player + 1)) for player in range(0, count - 1, 2)}
    free = list(range(count))
    while len(free) > 1:
        one = free.pop(0)
        other = next((other for other in free if frozenset((one, other)) not in met), free[0])
        free.remove(other)


def milliseconds(act: Callable[[int], None], count: int) -> float:
    taken = []
    for _ in range(TIMES):
        began = time.perf_counter()
        act(count)
        taken.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(taken), 2)


def main() -> None:
    for times in GROWTH:
        count = PLAYERS * times - 1
        found = {
            act.__name__: milliseconds(act, count)
            for act in (first, swiss, two_players, one_by_one)
        }
        found["ratio"] = round(found["two_players"] / found["one_by_one"], 2)
        print(json.dumps({"players": count, **found, "load": load()}), flush=True)


if __name__ == "__main__":
    main()
