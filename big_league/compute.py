"""From the facts of tournaments to the computed BIG rankings."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

from big_league.facts import Tournament, members_on, read_tournaments, stages_held_by
from big_league.rules import editions
from big_league.rules.editions import Edition
from big_league.rules.elimination import Finished, final_order
from big_league.rules.elo import Change, Rated, elo_ranking, mean_elo, rate_tournament, rated_tables
from big_league.rules.league import (
    Finish,
    LeagueEvent,
    LeaguePoints,
    LeagueTotal,
    current_cycle,
    game_totals,
    general_totals,
    league_points,
    points_ranking,
)
from pergioco.publishing.computed import Computed, Row
from pergioco.rulekit.numbers import PER_POINT, half_up
from pergioco.rulekit.ordering import Placed
from pergioco.stages import seasons
from pergioco.stages.models import Season

SETTINGS = ("big_elo_start", "big_elo_k")


@dataclass(frozen=True)
class Result:
    """A player's result in a tournament; `change` is None if the player faced no opponent."""

    placed: Placed[Finished]
    league: LeaguePoints
    mean: Fraction  # of all players, before the tournament
    elo: int  # the own one then, in thousandths
    change: Change | None


@dataclass(frozen=True)
class Played:
    """A tournament with its results in the order of the places."""

    tournament: Tournament
    edition: Edition
    settings: Mapping[str, int]
    results: tuple[Result, ...]


def play_tournaments(held_in_order: Iterable[Tournament]) -> list[Played]:
    # Each tournament starts from the Elo that the one before it left.
    elo: dict[str, dict[int, int]] = defaultdict(dict)
    found = []
    for one in held_in_order:
        played = play_tournament(one, elo[one.game])
        elo[one.game] |= {
            r.change.player: r.change.after for r in played.results if r.change is not None
        }
        found.append(played)
    return found


def play_tournament(one: Tournament, held_before: Mapping[int, int]) -> Played:
    edition, settings = editions.EDITIONS.in_force(one.ends_on.year), elo_settings(one.settings)
    start = settings["big_elo_start"] * PER_POINT
    elo = {player: held_before.get(player, start) for player in one.lots}
    tables = rated_tables(one.rounds, edition)
    changes = {
        c.player: c for c in rate_tournament(tables, elo, start=start, k=settings["big_elo_k"])
    }
    mean = mean_elo(elo.values())
    results = []
    for placed in final_order(one.rounds, one.lots, edition):
        own = elo[placed.row.player]
        # The lots break every tie, so no place is shared.
        finish = Finish(len(one.lots), placed.rank)
        league = league_points(finish, mean - Fraction(own, PER_POINT), edition)
        results.append(Result(placed, league, mean, own, changes.get(placed.row.player)))
    return Played(one, edition, settings, tuple(results))


def elo_settings(stored: Mapping[str, Any]) -> dict[str, int]:
    return {name: cast("int", seasons.season_setting(stored, name)) for name in SETTINGS}


GENERAL, OF_GAME, OF_EVENT, ELO = "big", "big:", "big-event:", "big-elo:"


def compute_big_rankings(day: date, season: Season) -> Iterator[Computed]:
    """Yields the season's tournaments, then the rankings of all tournaments up to that day."""
    played = play_tournaments(read_tournaments(stages_held_by(day)))
    if not played:
        return
    yield from (compute_event(one) for one in played if one.tournament.ends_on.year == season.year)
    of = Rankings(
        editions.EDITIONS.in_force(season.year),
        elo_settings(season.settings),
        frozenset(members_on(day)),
    )
    yield from of.points(played)
    yield from of.elo(played)


def compute_events(day: date) -> Iterator[Computed]:
    return map(compute_event, play_tournaments(read_tournaments(stages_held_by(day))))


def compute_event(one: Played) -> Computed:
    read = {
        "players": len(one.results),
        "game": one.tournament.game,
        "is_final": one.tournament.is_final,
    }
    rows = [build_event_row(result, one) for result in one.results]
    return Computed(
        f"{OF_EVENT}{one.tournament.slug}", one.edition.since, rows, dict(one.settings), read
    )


def build_event_row(result: Result, of: Played) -> Row:
    placed, league = result.placed, result.league
    return Row(
        placed.row.player,
        placed.rank,
        half_up(league.points, 2),
        decided_by=placed.decided_by,
        detail={
            "table_points": str(half_up(placed.row.points, 2)),
            "rounds": list(round_details(result, of)),
            **league_detail(league, len(of.results), result.mean, result.elo),
            "elo_after": result.change.after if result.change else None,
        },
    )


def league_detail(league: LeaguePoints, players: int, mean: Fraction, elo: int) -> dict[str, Any]:
    """`elo`: the own one before the tournament, in thousandths."""
    return {
        "players": players,
        "base": str(half_up(league.base, 2)),
        "bonus": str(half_up(league.bonus, 2)),
        "multiplier": str(half_up(league.multiplier, 6)),
        "is_halved": league.is_halved,
        "mean": str(half_up(mean, 3)),
        "elo_before": elo,
    }


def round_details(result: Result, of: Played) -> Iterator[dict[str, Any]]:
    # The share of the first round is kept because it breaks ties.
    phases = {one.number: one.phase for one in of.tournament.rounds}
    for number, seat in sorted(result.placed.row.seats.items()):
        yield {
            "round": number,
            "phase": phases[number],
            "table": seat.table,
            "place": seat.place,
            "points": str(half_up(seat.points, 2)),
            "share": str(half_up(seat.pbg, 4)),
        }


@dataclass(frozen=True)
class Rankings:
    edition: Edition
    settings: dict[str, int]
    members: frozenset[int]

    def points(self, played: Sequence[Played]) -> Iterator[Computed]:
        # A game keeps its ranking until its next final, whatever the season.
        of = {
            game: current_cycle(list(map(to_league_event, own)))
            for game, own in group_by_game(played)
        }
        for game, cycle in of.items():
            totals = game_totals(cycle, self.edition)
            yield self.computed(
                f"{OF_GAME}{game}", self.placed(totals), cycle_inputs(cycle, played)
            )
        totals = general_totals(of.values(), self.edition)
        yield self.computed(
            GENERAL,
            self.placed(totals),
            {"events": [e.slug for cycle in of.values() for e in cycle]},
        )

    def placed(self, totals: Iterable[LeagueTotal]) -> list[Row]:
        own = (total for total in totals if total.player in self.members)
        return list(map(build_total_row, points_ranking(own)))

    def elo(self, played: Sequence[Played]) -> Iterator[Computed]:
        # The Elo never starts again; only the points do (BIG-11).
        for game, own in group_by_game(played):
            rated = [one for one in rated_players(own) if one.player in self.members]
            rows = list(map(build_elo_row, elo_ranking(rated)))
            yield self.computed(
                f"{ELO}{game}", rows, {"events": [one.tournament.slug for one in own]}
            )

    def computed(self, kind: str, rows: list[Row], read: dict[str, Any]) -> Computed:
        return Computed(kind, self.edition.since, rows, self.settings, read)


def group_by_game(played: Iterable[Played]) -> list[tuple[str, list[Played]]]:
    found: dict[str, list[Played]] = defaultdict(list)
    for one in played:
        found[one.tournament.game].append(one)
    return sorted(found.items())


def to_league_event(one: Played) -> LeagueEvent:
    points = {result.placed.row.player: result.league.points for result in one.results}
    return LeagueEvent(one.tournament.slug, one.tournament.game, one.tournament.is_final, points)


def cycle_inputs(cycle: Sequence[LeagueEvent], played: Iterable[Played]) -> dict[str, Any]:
    events = [event.slug for event in cycle]
    if not cycle[0].is_final:
        return {"events": events, "final": None, "champion": None}
    final = next(one for one in played if one.tournament.slug == cycle[0].slug)
    champion = final.results[0].placed.row.player
    return {"events": events, "final": cycle[0].slug, "champion": champion}


def build_total_row(placed: Placed[LeagueTotal]) -> Row:
    total = placed.row
    results = {slug: str(half_up(points, 2)) for slug, points in total.results.items()}
    return Row(
        total.player,
        placed.rank,
        half_up(total.points, 2),
        placed.is_shared,
        placed.decided_by,
        {"results": results, "counted": list(total.counted)},
    )


def rated_players(played: Iterable[Played]) -> Iterable[Rated]:
    found: dict[int, Rated] = {}
    for one in played:
        for change in (result.change for result in one.results):
            if change is not None:
                before = found.get(change.player)
                found[change.player] = Rated.after(change, one.tournament.slug, before)
    return found.values()


def build_elo_row(placed: Placed[Rated]) -> Row:
    one = placed.row
    detail = {"events": one.events, "games": one.games, "moved": one.moved, "last": one.last}
    value = Decimal(one.elo) / PER_POINT
    return Row(one.player, placed.rank, value, placed.is_shared, placed.decided_by, detail)
