"""RisiKo! Masters: the whole day of one, from the rows of a bundle. Written from the regulation,
with plain lists."""

from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import Any

from tests.oracle.federation import rows

Rows = list[tuple[str, ...]]
PHASE_OF_ROUND = {"1": "qualification", "2": "qualification", "3": "semifinal", "4": "final"}


@dataclass
class Master:
    slug: str
    seed: str
    seats: list[dict[str, str]]

    def of(self, *phases: str) -> list[dict[str, str]]:
        return [s for s in self.seats if (s.get("phase") or PHASE_OF_ROUND[s["round"]]) in phases]


def read(folder: Path) -> list[Master]:
    """The closed ones."""
    same = {
        row["id"]: row["merged_into"]
        for row in rows(folder, "players.csv")
        if row.get("merged_into")
    }
    seats = [
        {**row, "player": same.get(row["player"], row["player"])}
        for row in rows(folder, "seats.csv")
    ]
    return [
        Master(row["slug"], row["seed"], [seat for seat in seats if seat["stage"] == row["slug"]])
        for row in rows(folder, "stages.csv")
        if row["circuit"] == "rkm" and row["status"] == "closed"
    ]


# Punti classifica


def scored(seats: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Every seat with its place and its points."""
    found = []
    for _place, at in groupby(sorted(seats, key=table_of), key=table_of):
        table = sorted(at, key=merits, reverse=True)
        for place, seat in enumerate(table, 1):
            found.append({**seat, "place": place, "points": points(seat, len(table), place)})
    return found


def table_of(seat: dict[str, str]) -> tuple[int, int]:
    return int(seat["round"]), int(seat["table"])


def merits(seat: dict[str, str]) -> tuple[Any, ...]:
    made = seat["objective_made"] == "1"
    return (
        made,
        Fraction(seat["score"] or 0),
        Fraction(seat["off_objective"] or 0),
        int(seat["seat"]),
    )


def points(seat: dict[str, str], players: int, place: int) -> int:
    """In thousandths: 1.25 times at five, rounded up; one unit for the winner; never more than
    1.100 at five."""
    if seat["objective_made"] == "1":
        return 1100
    own = Fraction(seat["score"] or 0)
    if players == 5:
        own = min(own * 5 / 4, Fraction(100))
    return ceil(own) + (1000 if place == 1 else 0)


# Classifica


def after(
    games: list[dict[str, Any]], numbers: list[str], before: dict[str, int]
) -> dict[str, list[int]]:
    """Player -> by what he is placed: the sum, the performances from the best on, his place
    before."""
    own: dict[str, list[int]] = {}
    for game in games:
        if game["round"] in numbers:
            own.setdefault(game["player"], []).append(game["points"])
    return {
        player: [
            sum(made),
            *sorted(made + [0] * (3 - len(made)), reverse=True),
            -before.get(player, 10**9),
        ]
        for player, made in own.items()
    }


def ranks(keys: dict[str, list[int]]) -> dict[str, int]:
    return {
        player: 1 + sum(1 for other in keys.values() if other > key) for player, key in keys.items()
    }


def lot(master: Master, player: str) -> str:
    return sha256(f"{master.seed}:{player}".encode()).hexdigest()


def numbers_of(seats: list[dict[str, str]]) -> list[str]:
    return sorted({seat["round"] for seat in seats}, key=int)


def standings(master: Master) -> dict[str, list[tuple[int, str, int]]]:
    """Phase -> (rank, player, thousandths), as far as it was played."""
    games = scored(master.seats)
    two = numbers_of(master.of("qualification"))
    first = after(games, two[:1], {})
    found = {"round_1": [(rank, p, first[p][0]) for p, rank in ranks(first).items()]}
    both = after(games, two, ranks(first))
    tied = ranks(both)
    if len(two) > 1:
        order = sorted(both, key=lambda p: (tied[p], lot(master, p)))
        found["qualification"] = [(rank, p, both[p][0]) for rank, p in enumerate(order, 1)]
    finals = finals_of(master, games)
    if finals:
        found["final"] = final(master, games, tied, finals)
    return found


def finals_of(master: Master, games: list[dict[str, Any]]) -> dict[str, int]:
    rounds = numbers_of(master.of("final"))
    return {game["player"]: game["place"] for game in games if game["round"] in rounds}


def final(
    master: Master, games: list[dict[str, Any]], tied: dict[str, int], finals: dict[str, int]
) -> list[tuple[int, str, int]]:
    """The finals by arrival, all others behind them by three games."""
    keys = after(games, numbers_of(master.of("qualification", "semifinal")), tied)
    last = len(keys) + len(finals)
    full = {
        p: [-finals[p]] if p in finals else [-last, *keys[p]] for p in keys.keys() | finals.keys()
    }
    return [(rank, player, keys.get(player, [0])[0]) for player, rank in ranks(full).items()]


# Struttura


def structure(master: Master) -> tuple[int, int, int]:
    """Straight to the final, semifinals, winners: of those with both games."""
    games = scored(master.seats)
    two = numbers_of(master.of("qualification"))
    there = {
        p
        for p in {g["player"] for g in games}
        if {g["round"] for g in games if g["player"] == p} >= {*two}
    }
    for least, semifinals, winners in ((200, 16, 4), (150, 12, 3), (100, 8, 2), (50, 4, 1)):
        if len(there) >= least:
            return 0, semifinals, winners
    tied = ranks(after(games, two, ranks(after(games, two[:1], {}))))
    won = [g["player"] for g in games if g["round"] in two and g["place"] == 1]
    twice = sorted(tied[p] for p in there if won.count(p) == 2)
    return *below_fifty(twice), 1


def below_fifty(twice: list[int]) -> tuple[int, int]:
    if not twice or (len(twice) > 2 and twice[0] == twice[1] == twice[2]):
        return 0, 4
    if len(twice) == 1 or (len(twice) > 2 and twice[1] == twice[2]):
        return 1, 3
    return 2, 2


# As rows of the bundle


def score_rows(masters: list[Master]) -> Rows:
    return sorted(
        (m.slug, s["round"], s["table"], s["player"], str(s["place"]), str(s["points"]))
        for m in masters
        for s in scored(m.seats)
    )


def standing_rows(masters: list[Master]) -> Rows:
    return sorted(
        (m.slug, phase, str(rank), player, str(thousandths))
        for m in masters
        for phase, placed in standings(m).items()
        for rank, player, thousandths in placed
    )
