"""What each tournament gives: its final order, its league points, and the Elo of its players afterwards."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from big_league.facts import Tournament
from big_league.rules import editions
from big_league.rules.editions import Edition
from big_league.rules.elo import Change, after_tournament, mean_elo, rated_tables
from big_league.rules.final_order import Finished, final_order
from big_league.rules.league import Finish, LeaguePoints, league_points
from pergioco.rulekit.placing import Placed
from pergioco.stages import season_settings

SETTINGS = ("big_elo_start", "big_elo_k")
THOUSAND = 1000


@dataclass(frozen=True)
class Result:
    """A player at the end of a tournament; without a change of Elo if he never sat opposite anybody."""

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


def play(held_in_order: Iterable[Tournament]) -> list[Played]:
    """One after the other: the Elo of each game goes on from tournament to tournament."""
    elo: dict[str, dict[int, int]] = defaultdict(dict)
    found = []
    for one in held_in_order:
        played = results_of(one, elo[one.game])
        elo[one.game] |= {r.change.player: r.change.after for r in played.results if r.change is not None}
        found.append(played)
    return found


def results_of(one: Tournament, held_before: Mapping[int, int]) -> Played:
    edition, settings = editions.for_season(one.ends_on.year), settings_in(one.settings)
    start = settings["big_elo_start"] * THOUSAND
    elo = {player: held_before.get(player, start) for player in one.lots}
    tables = rated_tables(one.rounds, edition)
    changes = {c.player: c for c in after_tournament(tables, elo, start=start, k=settings["big_elo_k"])}
    mean = mean_elo(elo.values())
    results = []
    for placed in final_order(one.rounds, one.lots, edition):
        own = elo[placed.row.player]
        finish = Finish(len(one.lots), placed.rank)  # lots part whatever else is equal: nobody shares his place
        league = league_points(finish, mean - Fraction(own, THOUSAND), edition)
        results.append(Result(placed, league, mean, own, changes.get(placed.row.player)))
    return Played(one, edition, settings, tuple(results))


def settings_in(stored: Mapping[str, Any]) -> dict[str, int]:
    return {name: cast("int", season_settings.value(stored, name)) for name in SETTINGS}
