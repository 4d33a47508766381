"""Leaders of each game, and the Green ranking made of three kinds of points (PGM 35 and 36)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple, Protocol, TypeVar

from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, Placed, place
from rankings.rules.editions import Edition
from rankings.rules.red_blue import Standing

TENTHS = 10


class OfOneGame(Protocol):
    """Whatever says a registered player's active PGR in one game."""

    @property
    def player(self) -> int: ...
    @property
    def pgr(self) -> int: ...  # thousandths


R = TypeVar("R", bound=OfOneGame)


class Rated(NamedTuple):
    player: int
    pgr: int
    games: int


@dataclass(frozen=True)
class GreenStanding:
    player: int
    blue_points: int
    red_points: int
    leader_tenths: int
    games: int

    @property
    def tenths(self) -> int:
        return (self.blue_points + self.red_points) * TENTHS + self.leader_tenths

    @property
    def points(self) -> Decimal:
        return Decimal(self.tenths) / TENTHS


def game_ranking(rows: Iterable[R]) -> list[Placed[R]]:
    """The players of one game by their PGR."""
    return place(rows, (Criterion("pgr", attrgetter("pgr")),), key=attrgetter("player"))


@paragraph("PGM", 35)
def leader_tenths(ranking: Sequence[Placed[R]], edition: Edition) -> dict[int, int]:
    """For the first five of a game; those who share a place get its points each (PG-18)."""
    return points_of_places(((p.rank, p.row.player) for p in ranking), edition.leader_tenths)


@paragraph("PGM", 35)
def place_points(ranking: Sequence[Placed[Standing]], edition: Edition) -> dict[int, int]:
    """For the first fifteen of Blue and of Red; those who share a place get its points each (PG-18)."""
    return points_of_places(((p.rank, p.row.player) for p in ranking), edition.place_points)


def points_of_places(places: Iterable[tuple[int, int]], table: Sequence[int]) -> dict[int, int]:
    first = takewhile(lambda place: place[0] <= len(table), places)
    return {player: table[rank - 1] for rank, player in first}


@dataclass(frozen=True)
class Ingredients:
    """What the Green ranking is made of: points by player, and the games that break ties."""

    blue: Mapping[int, int]
    red: Mapping[int, int]
    leaders: Sequence[Mapping[int, int]]  # one for each game, in tenths
    games: Mapping[int, int]


@paragraph("PGM", 35, 36)
def green(of: Ingredients) -> list[Placed[GreenStanding]]:
    """Whoever has a point of any kind; ties go to more games played."""
    tenths: dict[int, int] = {}
    for leaders in of.leaders:
        for player, points in leaders.items():
            tenths[player] = tenths.get(player, 0) + points
    players = of.blue.keys() | of.red.keys() | tenths.keys()
    rows = [
        GreenStanding(p, of.blue.get(p, 0), of.red.get(p, 0), tenths.get(p, 0), of.games.get(p, 0)) for p in players
    ]
    criteria = (Criterion("points", attrgetter("tenths")), Criterion("games", attrgetter("games")))
    return place(rows, criteria, key=attrgetter("player"))
