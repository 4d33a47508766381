"""Board Italian Gamers: chapters 4, 5, 7 and 8.1, written from the readings alone."""

import csv
import hashlib
import json
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

POINTS = {
    1: [1000],
    2: [1000, 336],
    3: [1000, 507, 251],
    4: [1000, 611, 403, 200],
    5: [1000, 682, 507, 336, 167],
    6: [1000, 730, 581, 433, 287, 143],
    7: [1000, 781, 640, 507, 378, 251, 125],
}
OUTCOMES = {"win": 1000, "draw": 668, "loss": 336}
IMPLIED = {
    "walkover": "win",
    "no_show": "loss",
    "quit": "loss",
    "bye": "win",
}  # by the kind, where no outcome is told
SETTINGS = {"big_elo_start": 1000, "big_elo_k": 20}
# Table size -> (players up to, rounds that qualify); above the last row the last one
QUALIFYING = {
    2: [(16, 3), (10**6, 4)],
    3: [(6, 2), (33, 3), (10**6, 4)],
    4: [(16, 2), (32, 2), (10**6, 3)],
}


@dataclass
class Chair:
    player: str
    net: Decimal
    outcome: str
    kind: str
    timed_out: bool


@dataclass
class Sitting:
    """What a round gave to a player."""

    table: int
    place: int
    points: Fraction
    share: Fraction


@dataclass
class Tournament:
    slug: str
    game: str
    is_final: bool
    ends_on: date
    seed: str
    settings: dict[str, int]
    rounds: dict[int, dict[int, list[Chair]]] = field(default_factory=dict)
    phases: dict[int, str] = field(default_factory=dict)


@dataclass
class Result:
    player: str
    place: int
    decided_by: str
    table_points: Fraction
    base: Fraction
    bonus: Fraction
    multiplier: Fraction
    league_points: Fraction
    before: Decimal
    after: Decimal | None


@dataclass
class Member:
    since: date | None
    disqualified_on: date | None
    erased_on: date | None

    def stands(self, day: date) -> bool:
        gone = [one for one in (self.disqualified_on, self.erased_on) if one is not None]
        return self.since is not None and self.since <= day and all(one > day for one in gone)


@dataclass
class Book:
    members: dict[str, Member]  # in the order of the file
    tournaments: list[Tournament]


# Reading


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def a_day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def read(folder: Path) -> Book:
    people = rows(folder, "players.csv")
    same = {row["id"]: row["merged_into"] or row["id"] for row in people}
    seasons = {
        row["year"]: json.loads(row["settings"] or "{}") for row in rows(folder, "seasons.csv")
    }
    found = {}
    for row in rows(folder, "stages.csv"):
        if row["circuit"] == "big" and row["status"] == "closed":
            settings = SETTINGS | {k: v for k, v in seasons[row["season"]].items() if k in SETTINGS}
            found[row["slug"]] = Tournament(
                row["slug"],
                row["game"],
                row["final"] == "1",
                date.fromisoformat(row["ends_on"]),
                row["seed"],
                settings,
            )
    for row in rows(folder, "seats.csv"):
        if row["stage"] in found:
            add(found[row["stage"]], row, same)
    for one in found.values():
        for tables in one.rounds.values():
            for number in [
                n for n, chairs in tables.items() if len({c.player for c in chairs}) < len(chairs)
            ]:
                del tables[number]
    members = {
        row["id"]: Member(
            a_day(row["big_member_on"]), a_day(row["disqualified_on"]), a_day(row["erased_on"])
        )
        for row in people
        if not row["merged_into"]
    }
    played = [one for one in found.values() if participants(one)]
    return Book(members, sorted(played, key=lambda one: (one.ends_on, one.slug)))


def add(to: Tournament, row: dict[str, str], same: dict[str, str]) -> None:
    net = Decimal(row["score"] or 0) - Decimal(row["bid"] or 0)
    outcome = row["outcome"] or IMPLIED.get(row["kind"], "")
    chair = Chair(
        same[row["player"]], net, outcome, row["kind"] or "played", row["timed_out"] == "1"
    )
    to.rounds.setdefault(int(row["round"]), {}).setdefault(int(row["table"]), []).append(chair)
    to.phases[int(row["round"])] = row["phase"] or to.phases.get(int(row["round"]), "")


# 4, 7.2.2, 8.1: one table


def participants(one: Tournament) -> set[str]:
    """BIG-6: who played at least one round."""
    chairs = [c for tables in one.rounds.values() for seated in tables.values() for c in seated]
    return {c.player for c in chairs if c.kind not in {"bye", "no_show"}}


def at_table(chairs: list[Chair]) -> list[Chair]:
    return chairs if len(chairs) <= 2 else [c for c in chairs if c.kind != "no_show"]


def better(one: Chair, other: Chair) -> bool:
    """Whether one stands before the other at a table whose scores count."""
    classes = [0 if c.kind == "quit" else 1 if c.timed_out else 2 for c in (one, other)]
    if classes != [2, 2]:
        return classes[0] > classes[1]
    ranks = [["loss", "", "draw", "win"].index(c.outcome) for c in (one, other)]
    return (ranks[0], one.net) > (ranks[1], other.net)


def table_results(chairs: list[Chair]) -> dict[str, tuple[int, Fraction]]:
    """BIG-1: place and points; those who share places share their points."""
    if len(chairs) == 2 and all(c.outcome for c in chairs):
        return {
            c.player: (2 if c.outcome == "loss" else 1, Fraction(OUTCOMES[c.outcome]))
            for c in chairs
        }
    if all(c.outcome == "draw" for c in chairs):
        return {c.player: (1, Fraction(sum(POINTS[len(chairs)]), len(chairs))) for c in chairs}
    found = {}
    for chair in chairs:
        above = sum(better(other, chair) for other in chairs)
        below = sum(better(chair, other) for other in chairs)
        shared = POINTS[len(chairs)][above : len(chairs) - below]
        found[chair.player] = (above + 1, Fraction(sum(shared), len(shared)))
    return found


# 4.2: the share, and what parts equal players


def shares(chairs: list[Chair], seats: int) -> dict[str, Fraction]:
    """BIG-3."""
    nets = [Fraction(c.net) for c in chairs]
    mean = sum(nets) / len(nets)
    with_ghosts = nets + [mean * 9 / 10] * (seats - len(nets))
    if sum(with_ghosts) <= 0:
        return {c.player: Fraction(1, seats) for c in chairs}
    return {c.player: Fraction(c.net) / sum(with_ghosts) for c in chairs}


def sittings(one: Tournament) -> dict[int, dict[str, Sitting]]:
    found: dict[int, dict[str, Sitting]] = {}
    for number, tables in one.rounds.items():
        there = {n: at_table(chairs) for n, chairs in sorted(tables.items()) if at_table(chairs)}
        seats = max((len(chairs) for chairs in there.values()), default=0)
        found[number] = {}
        for n, chairs in there.items():
            parts = shares(chairs, seats)
            for player, (place, points) in table_results(chairs).items():
                found[number][player] = Sitting(n, place, points, parts[player])
    return found


def lots(one: Tournament) -> list[str]:
    return sorted(
        participants(one), key=lambda p: hashlib.sha256(f"{one.seed}:{p}".encode()).digest()
    )


def phases_of(one: Tournament) -> dict[int, str]:
    """Told, or for a final from its format: the last rounds, after those that qualify, with few
    enough players."""
    told = dict(one.phases)
    if not one.is_final:
        return told
    everybody, numbers = len(participants(one)), sorted(one.rounds)
    size = max((len(at_table(c)) for c in one.rounds[numbers[0]].values()), default=2)
    form = min(max(size, 2), 4)
    qualifying = next(count for limit, count in QUALIFYING[form] if everybody <= limit)
    names = ["final", "semifinal", "final_4", "final_8"][: 2 if form == 4 else 4]
    for back, name in enumerate(names):
        if back >= len(numbers) - qualifying:
            break
        number = numbers[-1 - back]
        seated = sum(len(at_table(chairs)) for chairs in one.rounds[number].values())
        if seated >= everybody or seated > size * (3 if form == 3 else 2) ** back:
            break
        told[number] = told[number] or name
    return told


Chain = list[
    tuple[str, Any]
]  # what decides, from the first to the last: its name, and the greater stands first


def chain(player: str, of: Tournament, gave: dict[int, dict[str, Sitting]]) -> Chain:
    """BIG-2, BIG-4, BIG-19."""
    phases = phases_of(of)
    swiss = [n for n in sorted(of.rounds) if phases[n] in {"", "qualification"}]
    reached = max((n for n in of.rounds if n not in swiss and player in gave[n]), default=0)
    in_final = gave[reached][player].place if phases.get(reached) == "final" else 0
    points = sum((gave[n][player].points for n in swiss if player in gave[n]), Fraction(0))
    found: Chain = [("phase", reached), ("final", -in_final), ("points", points)]
    for n in reversed(swiss):
        sat = gave[n].get(player, Sitting(99999999, 99999999, Fraction(0), Fraction(-99999999)))
        if n != swiss[0]:
            found += [(f"table:{n}", -sat.table), (f"place:{n}", -sat.place)]
        else:
            found += [(f"place:{n}", -sat.place), ("pbg", sat.share)]
    return [*found, ("lots", -lots(of).index(player))]


def order_of(one: Tournament) -> list[tuple[str, str]]:
    """Player, and what put him behind the one before."""
    gave = sittings(one)
    chains = {player: chain(player, one, gave) for player in participants(one)}
    ordered = sorted(chains, key=lambda p: [value for _name, value in chains[p]], reverse=True)
    why = [""]
    for before, after in pairwise(ordered):
        both = zip(chains[before], chains[after], strict=True)
        why.append(next(name for (name, mine), (_name, theirs) in both if mine != theirs))
    return list(zip(ordered, why, strict=True))


# 5: league points and Elo


def expectation(own: Decimal, other: Decimal) -> Decimal:
    with localcontext() as precise:
        precise.prec = 60
        return 1 / (1 + Decimal(10) ** ((other - own) / 400))


def elo_after(one: Tournament, before: dict[str, Decimal]) -> dict[str, Decimal]:
    """BIG-11: every pair at every table, K shared out, all at once, three decimals."""
    won: dict[str, Fraction] = {}
    promised: dict[str, Decimal] = {}
    for tables in one.rounds.values():
        for seated in tables.values():
            chairs = [c for c in seated if c.kind != "no_show"]
            if len(chairs) < 2:
                continue
            places = table_results(chairs)
            for a, b in [pair for two in combinations(places, 2) for pair in (two, two[::-1])]:
                score = (
                    Fraction(1, 2)
                    if places[a][0] == places[b][0]
                    else Fraction(int(places[a][0] < places[b][0]))
                )
                won[a] = won.get(a, Fraction(0)) + score / (len(chairs) - 1)
                with localcontext() as precise:
                    precise.prec = 60
                    share = expectation(before[a], before[b]) * 60 / (len(chairs) - 1)
                    promised[a] = promised.get(a, Decimal(0)) + share
    return {
        player: moved(before[player], won[player], promised[player], one.settings["big_elo_k"])
        for player in won
    }


def moved(before: Decimal, won: Fraction, promised_of_60: Decimal, k: int) -> Decimal:
    with localcontext() as precise:
        precise.prec = 60
        points = won * 120  # a whole number, whatever the tables
        assert points.denominator == 1
        surplus = (Decimal(points.numerator) / 2 - promised_of_60) * k / 60
        return (before + surplus).quantize(Decimal("0.001"), ROUND_HALF_UP)


def results(one: Tournament, held: dict[str, Decimal]) -> list[Result]:
    """BIG-6 to BIG-10."""
    ordered = order_of(one)
    n = len(ordered)
    start = Decimal(one.settings["big_elo_start"])
    before = {player: held.get(player, start) for player, _why in ordered}
    after = elo_after(one, before)
    mean = Fraction(sum(before.values(), Decimal(0))) / n
    gave = sittings(one)
    found = []
    for place, (player, why) in enumerate(ordered, 1):
        base = 1000 - Fraction(1000 * (2 * place - 1), 2 * n)
        bonus = (
            min(Fraction(1000), 200 + Fraction(800 * (n - 6), 30)) / place
            if place <= n // 4
            else Fraction(0)
        )
        delta = (mean - Fraction(before[player])) / 1000
        times = 1 + sorted([Fraction(-1, 10), delta, Fraction(1, 10)])[1]
        league = (base + bonus) * times * (Fraction(1, 2) if n < 6 else 1)
        points = sum((of[player].points for of in gave.values() if player in of), Fraction(0))
        found.append(
            Result(
                player,
                place,
                why,
                points,
                base,
                bonus,
                times,
                league,
                before[player],
                after.get(player),
            )
        )
    return found


def history(book: Book, day: date) -> list[tuple[Tournament, list[Result]]]:
    held: dict[str, dict[str, Decimal]] = {}
    found = []
    for one in book.tournaments:
        if one.ends_on <= day:
            own = held.setdefault(one.game, {})
            gave = results(one, own)
            own.update({r.player: r.after for r in gave if r.after is not None})
            found.append((one, gave))
    return found


# 5, 7: the rankings


def ranked(
    book: Book, values: dict[str, Any], day: date, code: str
) -> list[tuple[int, str, Any, str]]:
    """1, 2, 2, 4 among those who stand there (BIG 2)."""
    there = {p: values[p] for p in book.members if p in values and book.members[p].stands(day)}
    found = []
    for player in sorted(there, key=lambda p: there[p], reverse=True):
        rank = 1 + sum(other > there[player] for other in there.values())
        is_first = not any(r == rank for r, *_ in found)
        found.append((rank, player, there[player], code if is_first and rank > 1 else ""))
    return found


def rankings(book: Book, day: date) -> dict[str, list[tuple[int, str, Any, str]]]:
    """BIG-12."""
    past = history(book, day)
    games = sorted({one.game for one, _gave in past})
    general: dict[str, Fraction] = {}
    found = {}
    for game in games:
        own = [(one, gave) for one, gave in past if one.game == game]
        begins = max((n for n, (one, _gave) in enumerate(own) if one.is_final), default=0)
        points: dict[str, list[Fraction]] = {}
        for _one, gave in own[begins:]:
            for result in gave:
                points.setdefault(result.player, []).append(result.league_points)
        best = {p: sorted(all_of_them, reverse=True) for p, all_of_them in points.items()}
        found[f"big:{game}"] = ranked(
            book, {p: sum(five[:5], Fraction(0)) for p, five in best.items()}, day, "points"
        )
        for player, three in best.items():
            general[player] = general.get(player, Fraction(0)) + sum(three[:3], Fraction(0))
        elo = {r.player: r.after for _one, gave in own for r in gave if r.after is not None}
        found[f"big-elo:{game}"] = ranked(book, elo, day, "elo")
    if past:
        found["big"] = ranked(book, general, day, "points")
    return found


# As a dump tells it


def shown(value: Fraction, places: int) -> str:
    with localcontext() as precise:
        precise.prec = 80
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}"


def result_rows(past: list[tuple[Tournament, list[Result]]]) -> list[tuple[str, ...]]:
    return sorted(
        (
            one.slug,
            r.player,
            str(r.place),
            shown(r.table_points, 2),
            shown(r.base, 2),
            shown(r.bonus, 2),
            shown(r.multiplier, 6),
            shown(r.league_points, 2),
        )
        for one, gave in past
        for r in gave
    )


def elo_rows(past: list[tuple[Tournament, list[Result]]]) -> list[tuple[str, ...]]:
    return sorted(
        (one.slug, one.game, r.player, f"{r.before:.3f}", f"{r.after:.3f}")
        for one, gave in past
        for r in gave
        if r.after is not None
    )


def ranking_rows(book: Book, days: list[date]) -> list[tuple[str, ...]]:
    return sorted(
        (
            kind,
            str(day),
            str(rank),
            player,
            f"{value:.3f}" if "elo" in kind else shown(value, 2),
            decided_by,
        )
        for day in days
        for kind, found in rankings(book, day).items()
        for rank, player, value, decided_by in found
    )
