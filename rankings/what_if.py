"""The rankings as they would stand if one player's rating were another one: the same rules, on what is published."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

from pergioco.ledger.published import Published
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


class Row(NamedTuple):
    """What is read of a line."""

    player: int
    value: Decimal
    detail: dict[str, Any]


def tables(version: Published, slug: str) -> Tables:
    """As they are published: three whole rankings."""
    game = f"game:{slug}"
    lines = version.lines(game, "red", "green")
    found: dict[str, list[Row]] = {game: [], "red": [], "green": []}
    for kind, *row in lines.values_list("computation__kind", "player", "value", "detail"):
        found[kind].append(Row(*row))
    return Tables(
        [rated_of(row) for row in found[game]],
        [standing_of(row) for row in found["red"]],
        {row.player: other_tenths(row, slug) for row in found["green"]},
    )


def rated_of(row: Row) -> Rated:
    return Rated(row.player, int(row.value * THOUSAND), int(row.detail["games"]))


def standing_of(row: Row) -> Standing:
    numbers = {name: row.detail[name] for name in NUMBERS}
    return Standing(player=row.player, average=Decimal(row.detail["average"]), **numbers)


def other_tenths(row: Row, slug: str) -> int:
    return int(row.detail["leader_tenths"]) - int(row.detail["leaders"].get(slug, 0))


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
