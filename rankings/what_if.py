"""The rankings as they would stand if one player's rating were another one: the same rules, on what is published."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from pergioco.ledger.models import Line
from pergioco.ledger.published import Ranking, Version
from pergioco.rulekit.placing import Placed
from rankings.rules import green, red_blue
from rankings.rules.editions import Edition
from rankings.rules.green import GreenStanding, Ingredients, Rated
from rankings.rules.red_blue import Active, Standing

THOUSAND = 1000
NUMBERS = ("overall", "total", "active_pgrs", "games", "has_enough")
T = TypeVar("T", Rated, Standing, GreenStanding)


@dataclass(frozen=True)
class Place:
    rank: int
    value: Decimal


@dataclass(frozen=True)
class Tables:
    """The players of one game, everybody's standing, and the leader points (tenths) that the other games give."""

    game: list[Rated]
    standings: list[Standing]
    other_leaders: dict[int, int]


def tables(version: Version, slug: str) -> Tables:
    return Tables(
        [rated_of(line) for line in lines(version.ranking(f"game:{slug}"))],
        [standing_of(line) for line in lines(version.ranking("red"))],
        {line.player_id: other_tenths(line, slug) for line in lines(version.ranking("green"))},
    )


def lines(ranking: Ranking | None) -> Sequence[Line]:
    return list(ranking.lines) if ranking else []


def rated_of(line: Line) -> Rated:
    return Rated(line.player_id, int(line.value * THOUSAND), int(line.detail["games"]))


def standing_of(line: Line) -> Standing:
    numbers = {name: line.detail[name] for name in NUMBERS}
    return Standing(player=line.player_id, average=Decimal(line.detail["average"]), **numbers)


def other_tenths(line: Line, slug: str) -> int:
    return int(line.detail["leader_tenths"]) - int(line.detail["leaders"].get(slug, 0))


def places(of: Tables, own: Active, rated: Rated, edition: Edition) -> dict[str, Place]:
    """The player's places with `own` ratings, of which `rated` is the one in this game; all others stay as they are."""
    player = rated.player
    game = green.game_ranking([*(row for row in of.game if row.player != player), rated])
    standings = [*(row for row in of.standings if row.player != player), *red_blue.standings([own], edition)]
    red, blue = red_blue.red(standings), red_blue.blue(standings)
    ingredients = Ingredients(
        blue=green.place_points(blue, edition),
        red=green.place_points(red, edition),
        leaders=[of.other_leaders, green.leader_tenths(game, edition)],
        games={row.player: row.games for row in standings},
    )
    trophy = green.green(ingredients)
    found = {
        "game": place_in(game, player, lambda row: Decimal(row.pgr) / THOUSAND),
        "red": place_in(red, player, lambda row: Decimal(row.overall)),
        "blue": place_in(blue, player, lambda row: Decimal(row.total) / THOUSAND),
        "green": place_in(trophy, player, lambda row: row.points),
    }
    return {kind: place for kind, place in found.items() if place is not None}


def place_in(ranking: Sequence[Placed[T]], player: int, value: Callable[[T], Decimal]) -> Place | None:
    return next((Place(one.rank, value(one.row)) for one in ranking if one.row.player == player), None)
