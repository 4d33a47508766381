"""Tables of closed Masters -> rules -> each game, the rankings after one game and after two, the final order."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import Any

from pergioco.ledger.content import Computed, Row
from pergioco.rulekit.placing import Placed
from pergioco.stages.models import Season
from risiko_master.facts import Master, masters
from risiko_master.rules import editions
from risiko_master.rules.day import SEMIFINAL, Day
from risiko_master.rules.final import Finish
from risiko_master.rules.points import Scored
from risiko_master.rules.ranking import Record
from risiko_master.rules.substitutes import Place

PREFIX = "rkm:"  # what is computed of a Master: “rkm:<stage>:<what>”
GAME, ROUND_1, QUALIFICATION, FINAL = "game", "round_1", "qualification", "final"
Detail = dict[str, Any]


def kind(slug: str, *what: object) -> str:
    return PREFIX + ":".join(map(str, (slug, *what)))


def rankings(day: date, season: Season) -> Iterator[Computed]:
    """Of every Master that is closed as of that day: each game, then its rankings as far as they were played."""
    edition = editions.for_season(season.year)
    for master in masters(season, edition, until=day):
        for one in (*games(master), *standings(master)):
            yield Computed(kind(master.slug, *one[0]), edition.since, one[1], read=one[2])


Content = tuple[tuple[object, ...], list[Row], Detail]


def games(master: Master) -> Iterator[Content]:
    for one in master.day.rounds:
        tables = master.day.arrivals[one.number]
        rows = [game_row(number, scored) for number, table in tables.items() for scored in table]
        yield (GAME, one.number), rows, {"phase": one.phase}


def game_row(table: int, scored: Scored) -> Row:
    detail = {
        "table": table,
        "players": scored.players,
        "table_points": f"{scored.table_points.normalize():f}",
        "off_objective": f"{scored.off_objective.normalize():f}",
        "objective_made": scored.objective_made,
        "order": scored.order,
    }
    return Row(scored.player, scored.place, value(scored.thousandths), decided_by=scored.decided_by, detail=detail)


def value(thousandths: int) -> Decimal:
    return Decimal(thousandths).scaleb(-3)


def standings(master: Master) -> Iterator[Content]:
    day = master.day
    if day.round_1:
        first = day.numbers(QUALIFICATION)[0]
        yield (ROUND_1,), [record_row(p, {"games": points_of(day, p.row.player, first)}) for p in day.round_1], {}
    if day.is_qualified:
        read = {
            "seed": master.seed,
            "structure": asdict(day.structure),
            "played": asdict(day.played),
            "renounced": sorted(day.renounced),
        }
        goes_on = paths(day)
        yield (QUALIFICATION,), [qualification_row(day, p, goes_on) for p in day.qualification], read
    if day.final:
        ways = ways_to_the_final(day)
        rows = [final_row(day, p, ways.get(p.row.player, {})) for p in day.final]
        yield (FINAL,), rows, {"seats": [asdict(place) for place in day.finalists]}


def points_of(day: Day, player: int, rounds: int) -> dict[str, int]:
    """Round -> thousandths; text keys, as JSON gives them back."""
    return {str(number): points for number, points in sorted(day.points[player].items()) if number <= rounds}


def record_row(placed: Placed[Record], detail: Detail) -> Row:
    return Row(placed.row.player, placed.rank, value(placed.row.total), placed.is_shared, placed.decided_by, detail)


def paths(day: Day) -> dict[int, Detail]:
    """Player -> where the two games led: by the rules, and by his seat once the semifinals are played."""
    found: dict[int, Detail] = {player: {"goes": "final"} for player in day.field.direct}
    for group in day.field.groups:
        for number, band in enumerate(group.bands, 1):
            found |= {player: {"goes": SEMIFINAL, "group": group.number, "band": number} for player in band}
    played = {one.player for table in day.tables(SEMIFINAL) for one in table}
    if played:
        straight = set(day.field.direct) | day.arrived.keys() - played
        seats = dict.fromkeys(straight - played, "final") | dict.fromkeys(played, SEMIFINAL)
        found = {p: found.get(p, {}) | {"goes": seats.get(p, "")} for p in found.keys() | seats.keys()}
    return found | {player: {"goes": "renounced"} for player in day.renounced - played}


def qualification_row(day: Day, placed: Placed[Record], goes_on: dict[int, Detail]) -> Row:
    player = placed.row.player
    detail = {
        "games": points_of(day, player, max(day.numbers(QUALIFICATION))),
        "wins": day.wins.get(player, 0),
        "has_both": placed.row.is_complete,
        "goes": "",
    }
    return record_row(placed, detail | goes_on.get(player, {}))


def ways_to_the_final(day: Day) -> dict[int, Detail]:
    """Player -> by what right he sits in a final, or that he gave his seat away."""
    ways: dict[int, Detail] = {}
    for place in day.finalists:
        ways |= {step.player: {"renounced": step.code} for step in place.chain if step.renounced}
        if place.player is not None:
            ways[place.player] = {"came_as": place.code, **stood_in(place)}
    tables = enumerate(day.tables(FINAL), 1)
    seats = {one.player: {"final": number, "arrived": one.place} for number, table in tables for one in table}
    return {player: ways.get(player, {}) | seats.get(player, {}) for player in ways.keys() | seats.keys()}


def stood_in(place: Place) -> Detail:
    return {"instead_of": place.entitled} if place.player != place.entitled else {}


def final_row(day: Day, placed: Placed[Finish], way: Detail) -> Row:
    player = placed.row.player
    last = max((one.number for one in day.rounds), default=0)
    detail = {"games": points_of(day, player, last)} | way
    return Row(player, placed.rank, value(placed.row.record.total), placed.is_shared, placed.decided_by, detail)
