"""The published rankings recomputed with one changed rating."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

from pergioco.publishing.published import Published
from pergioco.rulekit.numbers import to_points, to_thousandths
from pergioco.rulekit.ordering import Placed
from rankings import rules
from rankings.rules import Active, Edition, GreenStanding, Ingredients, Rated, Standing

NUMBERS = ("overall", "total", "active_pgrs", "games", "has_enough")
T = TypeVar("T", Rated, Standing, GreenStanding)


@dataclass(frozen=True)
class Place:
    rank: int
    value: Decimal


@dataclass(frozen=True)
class Tables:
    """The players of one game, all standings, and the leader points (tenths) from the other
    games."""

    game: list[Rated]
    standings: list[Standing]
    other_leaders: dict[int, int]


class Row(NamedTuple):
    """The columns read from a line."""

    player: int
    value: Decimal
    detail: dict[str, Any]


def published_tables(version: Published, slug: str) -> Tables:
    game = f"game:{slug}"
    lines = version.lines(game, "red", "green")
    found: dict[str, list[Row]] = {game: [], "red": [], "green": []}
    for kind, *row in lines.values_list("computation__kind", "player", "value", "detail"):
        found[kind].append(Row(*row))
    return Tables(
        [rated_from_row(row) for row in found[game]],
        [standing_from_row(row) for row in found["red"]],
        {row.player: leader_tenths_elsewhere(row, slug) for row in found["green"]},
    )


def rated_from_row(row: Row) -> Rated:
    return Rated(row.player, to_thousandths(row.value), int(row.detail["games"]))


def standing_from_row(row: Row) -> Standing:
    numbers = {name: row.detail[name] for name in NUMBERS}
    return Standing(player=row.player, average=Decimal(row.detail["average"]), **numbers)


def leader_tenths_elsewhere(row: Row, slug: str) -> int:
    return int(row.detail["leader_tenths"]) - int(row.detail["leaders"].get(slug, 0))


def imagined_places(of: Tables, own: Active, rated: Rated, edition: Edition) -> dict[str, Place]:
    """The player's places with `own` ratings, of which `rated` is the one in this game; all others
    unchanged."""
    player = rated.player
    game = rules.rank_game([*(row for row in of.game if row.player != player), rated])
    standings = [
        *(row for row in of.standings if row.player != player),
        *rules.overall_standings([own], edition),
    ]
    red, blue = rules.rank_red(standings), rules.rank_blue(standings)
    ingredients = Ingredients(
        blue=rules.place_points(blue, edition),
        red=rules.place_points(red, edition),
        leaders=[of.other_leaders, rules.leader_tenths(game, edition)],
        games={row.player: row.games for row in standings},
    )
    trophy = rules.rank_green(ingredients)
    found = {
        "game": find_place(game, player, lambda row: to_points(row.pgr)),
        "red": find_place(red, player, lambda row: Decimal(row.overall)),
        "blue": find_place(blue, player, lambda row: to_points(row.total)),
        "green": find_place(trophy, player, lambda row: row.points),
    }
    return {kind: place for kind, place in found.items() if place is not None}


def find_place(
    ranking: Sequence[Placed[T]], player: int, value: Callable[[T], Decimal]
) -> Place | None:
    return next(
        (Place(one.rank, value(one.row)) for one in ranking if one.row.player == player), None
    )
