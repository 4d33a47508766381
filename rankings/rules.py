"""Activity, Red, Blue, Green and game leaders (PGM 23 to 37), with their dated parameters."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple, Protocol, TypeVar

from pergioco.rulekit.editions import Editions
from pergioco.rulekit.numbers import PER_POINT
from pergioco.rulekit.ordering import Criterion, Placed, assign_places
from pergioco.rulekit.paragraph import paragraph


# An edition in force is never edited: a changed rule gets a new one.
@dataclass(frozen=True)
class Edition:
    since: int
    enough_pgrs: int  # that many active PGRs put a player in the first tier of the Red ranking
    place_points: tuple[int, ...]  # for the first places of Blue and Red
    leader_tenths: tuple[int, ...]  # for the first places of each game, in tenths of a point


EDITIONS = Editions(
    Edition(
        since=2021,
        enough_pgrs=10,
        place_points=(20, 18, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
        leader_tenths=(5, 4, 3, 2, 1),
    ),
)


def first_active_year(year: int) -> int:
    # The activity window starts on 1 January of the year before.
    return year - 1


@paragraph("PGM", 23, 27)
def is_active(*, last_valid_game: date | None, year: int) -> bool:
    """Game by game (PG-13): the last valid game was in this year or the one before."""
    return last_valid_game is not None and first_active_year(year) <= last_valid_game.year <= year


@paragraph("PGM", 23, 27)
def inactive_from(last_valid_game: date) -> date:
    return date(last_valid_game.year + 2, 1, 1)


@paragraph("PGM", 31, 34, 37)
def belongs_to_final_rankings(year: int, *, played_on: date) -> bool:
    """Games up to 31 December, by the day in Rome (PG-19)."""
    return played_on <= date(year, 12, 31)


@dataclass(frozen=True)
class Active:
    """A registered player's active PGRs (thousandths), and the valid games that make them active
    (PG-16)."""

    player: int
    pgrs: tuple[int, ...]
    games: int


@dataclass(frozen=True)
class Standing:
    player: int
    overall: int  # PGM 24, whole points
    average: Decimal  # exact, shown beside it
    total: int  # thousandths
    active_pgrs: int
    games: int
    has_enough: bool


@paragraph("PGM", 24)
def overall_pgr(pgrs: Sequence[int]) -> int:
    """The mean of the active PGRs, rounded down to the unit; in integers, because floats can be one
    too low."""
    return sum(pgrs) // (len(pgrs) * PER_POINT)


def overall_standing(row: Active, edition: Edition) -> Standing:
    return Standing(
        player=row.player,
        overall=overall_pgr(row.pgrs),
        average=Decimal(sum(row.pgrs)) / (len(row.pgrs) * PER_POINT),
        total=sum(row.pgrs),
        active_pgrs=len(row.pgrs),
        games=row.games,
        has_enough=len(row.pgrs) >= edition.enough_pgrs,
    )


def overall_standings(rows: Iterable[Active], edition: Edition) -> list[Standing]:
    # Players without an active PGR are in neither ranking (PGM 23).
    return [overall_standing(row, edition) for row in rows if row.pgrs]


MORE_PGRS = Criterion("active_pgrs", attrgetter("active_pgrs"))
MORE_GAMES = Criterion("games", attrgetter("games"))
BY_PLAYER = attrgetter("player")


@paragraph("PGM", 29, 30)
def rank_red(rows: Iterable[Standing]) -> list[Placed[Standing]]:
    """Players with enough active PGRs first (PG-15); by overall PGR (PG-14), then PGRs, then
    games."""
    tier = Criterion("tier", attrgetter("has_enough"))
    average = Criterion("average", attrgetter("overall"))
    return assign_places(rows, (tier, average, MORE_PGRS, MORE_GAMES), key=BY_PLAYER)


@paragraph("PGM", 32, 33)
def rank_blue(rows: Iterable[Standing]) -> list[Placed[Standing]]:
    """By the exact sum (PG-17), then PGRs, then games."""
    return assign_places(
        rows, (Criterion("sum", attrgetter("total")), MORE_PGRS, MORE_GAMES), key=BY_PLAYER
    )


TENTHS = 10


class OfOneGame(Protocol):
    """A row with a registered player's active PGR in one game."""

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


def rank_game(rows: Iterable[R]) -> list[Placed[R]]:
    return assign_places(rows, (Criterion("pgr", attrgetter("pgr")),), key=attrgetter("player"))


@paragraph("PGM", 35)
def leader_tenths(ranking: Sequence[Placed[R]], edition: Edition) -> dict[int, int]:
    """For the first five of a game; players who share a place each get its points (PG-18)."""
    return points_of_places(((p.rank, p.row.player) for p in ranking), edition.leader_tenths)


@paragraph("PGM", 35)
def place_points(ranking: Sequence[Placed[Standing]], edition: Edition) -> dict[int, int]:
    """For the first fifteen of Blue and of Red; players who share a place each get its points
    (PG-18)."""
    return points_of_places(((p.rank, p.row.player) for p in ranking), edition.place_points)


def points_of_places(places: Iterable[tuple[int, int]], table: Sequence[int]) -> dict[int, int]:
    first = takewhile(lambda place: place[0] <= len(table), places)
    return {player: table[rank - 1] for rank, player in first}


@dataclass(frozen=True)
class Ingredients:
    """Points by player, and the games that break ties."""

    blue: Mapping[int, int]
    red: Mapping[int, int]
    leaders: Sequence[Mapping[int, int]]  # one for each game, in tenths
    games: Mapping[int, int]


@paragraph("PGM", 35, 36)
def rank_green(of: Ingredients) -> list[Placed[GreenStanding]]:
    """All players with a point of any kind; ties go to more games played."""
    tenths: dict[int, int] = {}
    for leaders in of.leaders:
        for player, points in leaders.items():
            tenths[player] = tenths.get(player, 0) + points
    players = of.blue.keys() | of.red.keys() | tenths.keys()
    rows = [
        GreenStanding(p, of.blue.get(p, 0), of.red.get(p, 0), tenths.get(p, 0), of.games.get(p, 0))
        for p in players
    ]
    criteria = (Criterion("points", attrgetter("tenths")), Criterion("games", attrgetter("games")))
    return assign_places(rows, criteria, key=attrgetter("player"))
