"""Publication contents of closed Masters: each game, the rankings after one and two games, the
final order."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from typing import Any

from django.db.models import Q

from pergioco.publishing.computed import Computed, Row
from pergioco.publishing.models import Computation
from pergioco.publishing.services import publish
from pergioco.rulekit.numbers import to_points
from pergioco.rulekit.ordering import Placed
from pergioco.stages.models import Season, Seat, Stage
from risiko_master.facts import Master, closed_masters
from risiko_master.rules import editions
from risiko_master.rules.day import SEMIFINAL, Day
from risiko_master.rules.playoffs import Place
from risiko_master.rules.points import Scored
from risiko_master.rules.rankings import Finish, Record

PREFIX = "rkm:"  # what is computed of a Master: “rkm:<stage>:<what>”
GAME, ROUND_1, QUALIFICATION, FINAL = "game", "round_1", "qualification", "final"
Detail = dict[str, Any]


def computation_kind(slug: str, *what: object) -> str:
    return PREFIX + ":".join(map(str, (slug, *what)))


def compute_master_rankings(day: date, season: Season) -> Iterator[Computed]:
    edition = editions.EDITIONS.in_force(season.year)
    for master in closed_masters(season, edition, until=day):
        yield from compute_games(master)
        yield from compute_rankings(master)


def computed(master: Master, *what: object, rows: list[Row], read: Detail) -> Computed:
    kind, since = computation_kind(master.slug, *what), master.day.edition.since
    return Computed(kind, since, rows, read=read)


def compute_games(master: Master) -> Iterator[Computed]:
    for one in master.day.rounds:
        tables = master.day.arrivals[one.number]
        rows = [game_row(number, scored) for number, table in tables.items() for scored in table]
        yield computed(master, GAME, one.number, rows=rows, read={"phase": one.phase})


def game_row(table: int, scored: Scored) -> Row:
    detail = {
        "table": table,
        "players": scored.players,
        "table_points": f"{scored.table_points.normalize():f}",
        "off_objective": f"{scored.off_objective.normalize():f}",
        "objective_made": scored.objective_made,
        "order": scored.order,
    }
    return Row(
        scored.player,
        scored.place,
        to_points(scored.thousandths),
        decided_by=scored.decided_by,
        detail=detail,
    )


def compute_rankings(master: Master) -> Iterator[Computed]:
    day = master.day
    if day.round_1:
        first = day.numbers(QUALIFICATION)[0]
        rows = [
            ranked_row(p, p.row, {"games": points_by_round(day, p.row.player, first)})
            for p in day.round_1
        ]
        yield computed(master, ROUND_1, rows=rows, read={})
    if day.is_qualified:
        read = {
            "seed": master.seed,
            "structure": asdict(day.structure),
            "played": asdict(day.played),
            "renounced": sorted(day.renounced),
        }
        goes_on = paths_after_two_games(day)
        rows = [qualification_row(day, p, goes_on) for p in day.qualification]
        yield computed(master, QUALIFICATION, rows=rows, read=read)
    if day.final:
        ways = ways_to_the_final(day)
        rows = [final_row(day, p, ways.get(p.row.player, {})) for p in day.final]
        seats = [asdict(place) for place in day.finalists]
        yield computed(master, FINAL, rows=rows, read={"seats": seats})


def points_by_round(day: Day, player: int, rounds: int) -> dict[str, int]:
    """Round -> thousandths; keys are text, as in JSON."""
    return {
        str(number): points
        for number, points in sorted(day.points[player].items())
        if number <= rounds
    }


def ranked_row(placed: Placed[Any], record: Record, detail: Detail) -> Row:
    return Row(
        record.player,
        placed.rank,
        to_points(record.total),
        placed.is_shared,
        placed.decided_by,
        detail,
    )


def paths_after_two_games(day: Day) -> dict[int, Detail]:
    """Player -> semifinal or final: by the rules, and by actual seats once semifinals are
    played."""
    found: dict[int, Detail] = {player: {"goes": "final"} for player in day.field.direct}
    for group in day.field.groups:
        for number, band in enumerate(group.bands, 1):
            found |= {
                player: {"goes": SEMIFINAL, "group": group.number, "band": number}
                for player in band
            }
    played = {one.player for table in day.tables(SEMIFINAL) for one in table}
    if played:
        straight = set(day.field.direct) | day.arrived.keys() - played
        seats = dict.fromkeys(straight - played, "final") | dict.fromkeys(played, SEMIFINAL)
        found = {
            p: found.get(p, {}) | {"goes": seats.get(p, "")} for p in found.keys() | seats.keys()
        }
    return found | {player: {"goes": "renounced"} for player in day.renounced - played}


def qualification_row(day: Day, placed: Placed[Record], goes_on: dict[int, Detail]) -> Row:
    player = placed.row.player
    detail = {
        "games": points_by_round(day, player, max(day.numbers(QUALIFICATION))),
        "wins": day.wins.get(player, 0),
        "has_both": placed.row.is_complete,
        "goes": "",
    }
    return ranked_row(placed, placed.row, detail | goes_on.get(player, {}))


def ways_to_the_final(day: Day) -> dict[int, Detail]:
    """Player -> by which right he sits in a final, or that he renounced."""
    ways: dict[int, Detail] = {}
    for place in day.finalists:
        ways |= {step.player: {"renounced": step.code} for step in place.chain if step.renounced}
        if place.player is not None:
            ways[place.player] = {"came_as": place.code, **substitute_detail(place)}
    tables = enumerate(day.tables(FINAL), 1)
    seats = {
        one.player: {"final": number, "arrived": one.place}
        for number, table in tables
        for one in table
    }
    return {
        player: ways.get(player, {}) | seats.get(player, {})
        for player in ways.keys() | seats.keys()
    }


def substitute_detail(place: Place) -> Detail:
    return {"instead_of": place.entitled} if place.player != place.entitled else {}


def final_row(day: Day, placed: Placed[Finish], way: Detail) -> Row:
    player = placed.row.player
    last = max((one.number for one in day.rounds), default=0)
    detail = {"games": points_by_round(day, player, last)} | way
    return ranked_row(placed, placed.row.record, detail)


WHO_SAT_THERE = ("merged", "unmerged")


def enqueue_stage_publication(*, stage: int, cause: str) -> None:
    # A stage that is no Master any more must lose its rankings.
    row = Stage.objects.select_related("season").get(pk=stage)
    shown = Season.objects.filter(
        computations__in=Computation.objects.filter(kind__startswith=computation_kind(row.slug, ""))
    )
    years = set(shown.values_list("year", flat=True))
    if row.circuit == Stage.Circuit.RKM:
        years.add(row.season.year)
    if years:
        publish.enqueue_publication(cause=cause, year=min(years), stage=row)


def enqueue_player_publication(*, player: int, cause: str) -> None:
    # Only a merge or its undoing changes what happened at the tables.
    family = Q(player=player) | Q(player__merged_into=player)
    sat = Seat.objects.filter(family, table__round__revision__stage__circuit=Stage.Circuit.RKM)
    if cause in WHO_SAT_THERE and sat.exists():
        publish.enqueue_publication(cause=cause, player=player)
