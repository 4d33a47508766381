"""The rankings: each game, Red, Blue and Green. Paragraphs 23, 24, 27 and 29 to 37."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from tests.oracle.federation import Federation
from tests.oracle.ratings import History, counted

PLACE_POINTS = (20, 18, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)  # 35
LEADER_POINTS = tuple(Decimal(tenths) / 10 for tenths in (5, 4, 3, 2, 1))  # 35
PRIORITY = 10  # 29: active PGRs


@dataclass(frozen=True)
class Holding:
    """What a player holds in one game: the PGR, the day of his last valid game, and the games that
    break ties."""

    player: str
    game: str
    pgr: Decimal
    last_valid_on: date
    games: int


@dataclass(frozen=True)
class Placed:
    rank: int
    player: str
    value: Any
    decided_by: str  # what put him behind the one before him
    active_pgrs: int | None = None
    games: int | None = None
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Sum:
    """A player's active PGRs taken together."""

    player: str
    pgrs: tuple[Decimal, ...]
    games: int

    @property
    def overall(self) -> int:
        """24: rounded down; the division is exact enough for whatever can be divided so."""
        thousandths = sum(int(pgr * 1000) for pgr in self.pgrs)
        return thousandths // (1000 * len(self.pgrs))

    @property
    def total(self) -> Decimal:
        return sum(self.pgrs, Decimal(0))

    @property
    def has_priority(self) -> bool:
        return len(self.pgrs) >= PRIORITY


def ranked(federation: Federation, day: date) -> list[str]:
    """5, PG-4, PG-26: registered by that day, and neither excluded nor erased by then. In the order
    of the file, which is the one in which those who share a place are shown."""

    def by_then(one: date | None) -> bool:
        return one is not None and one <= day

    return [
        p.id
        for p in federation.players.values()
        if by_then(p.registered_on) and not by_then(p.disqualified_on) and not by_then(p.erased_on)
    ]


def rankings(federation: Federation, past: History, day: date) -> dict[str, list[Placed]]:
    """Every ranking of the season as of a day of it."""
    active = holdings(federation, past, day)
    sums = sums_of(active, federation, day)
    of_games = {
        f"game:{game}": place(
            [h for h in active if h.game == game], {"pgr": lambda h: h.pgr}, game_columns
        )
        for game in sorted({h.game for h in active})
    }
    ties = {"active_pgrs": lambda s: len(s.pgrs), "games": lambda s: s.games}
    red = place(
        sums,
        {"tier": lambda s: s.has_priority, "average": lambda s: s.overall, **ties},
        red_columns,
    )
    blue = place(sums, {"sum": lambda s: s.total, **ties}, blue_columns)
    return of_games | {"red": red, "blue": blue, "green": green(sums, red, blue, of_games)}


def place(
    rows: Sequence[Any], criteria: dict[str, Callable[[Any], Any]], columns: Callable[[Any], Any]
) -> list[Placed]:
    """1, 2, 2, 4 (PG-16): the greater stands first; who is equal in everything shares a place."""

    def values(row: Any) -> list[Any]:
        return [value(row) for value in criteria.values()]

    placed = []
    for row in sorted(rows, key=values, reverse=True):
        better = [other for other in rows if values(other) > values(row)]
        above = min(map(values, better), default=None)
        shares_with_one_above = any(p.rank == len(better) + 1 for p in placed)
        decided_by = ""
        if above is not None and not shares_with_one_above:
            decided_by = next(
                name for name, a, b in zip(criteria, above, values(row), strict=True) if a != b
            )
        placed.append(Placed(len(better) + 1, row.player, decided_by=decided_by, **columns(row)))
    return placed


def game_columns(holding: Holding) -> dict[str, Any]:
    return {
        "value": holding.pgr,
        "games": holding.games,
        "detail": {"last_valid_on": str(holding.last_valid_on)},
    }


def red_columns(one: Sum) -> dict[str, Any]:
    return {"value": one.overall, "active_pgrs": len(one.pgrs), "games": one.games}


def blue_columns(one: Sum) -> dict[str, Any]:
    return {"value": one.total, "active_pgrs": len(one.pgrs), "games": one.games}


# 23, 27: what is active


def holdings(federation: Federation, past: History, day: date) -> list[Holding]:
    """27, PG-13: game by game, whatever had a valid game in the year of that day or the one
    before."""
    pgr = {(o.player, o.game): o.pgr for o in federation.openings}
    days: dict[tuple[str, str], list[date]] = {}
    for opening in federation.openings:
        if opening.last_played_on and opening.last_played_on <= day:
            days[opening.player, opening.game] = [opening.last_played_on]
    dated = games_rated(past, day)
    for change in past:
        if change.stage.ends_on <= day:
            key = (change.player, change.stage.game)
            pgr[key] = change.after
            days.setdefault(key, []).extend(change.valid_days)
    since_when = date(day.year if tie_games(federation, day) == "year" else day.year - 1, 1, 1)
    here = ranked(federation, day)
    return [
        Holding(*key, pgr[key], max(own), sum(1 for one in dated.get(key, []) if one >= since_when))
        for player in here
        for key, own in sorted(days.items())
        if own and max(own).year >= day.year - 1 and key[0] == player
    ]


def games_rated(past: History, day: date) -> dict[tuple[str, str], list[date]]:
    """The days of the valid games by player and game."""
    found: dict[tuple[str, str], list[date]] = {}
    for change in past:
        if change.stage.ends_on <= day:
            found.setdefault((change.player, change.stage.game), []).extend(change.valid_days)
    return found


def games_of_a_lifetime(federation: Federation, player: str, day: date) -> int:
    """28 deletes ratings, and a season may not rate who is unregistered; games were played all the
    same."""
    return sum(
        len(counted(stage, player)[0]) for stage in federation.closed if stage.ends_on <= day
    )


def tie_games(federation: Federation, day: date) -> str:
    return federation.setting(day.year, "more_games_played", "active")


def sums_of(active: list[Holding], federation: Federation, day: date) -> list[Sum]:
    found = []
    for player in dict.fromkeys(h.player for h in active):
        own = [h for h in active if h.player == player]
        of_a_lifetime = tie_games(federation, day) == "lifetime"
        games = (
            games_of_a_lifetime(federation, player, day)
            if of_a_lifetime
            else sum(h.games for h in own)
        )
        found.append(Sum(player, tuple(h.pgr for h in own), games))
    return found


# 35, 36: Green


@dataclass(frozen=True)
class Combined:
    player: str
    blue: int
    red: int
    leaders: dict[str, Decimal]
    games: int

    @property
    def points(self) -> Decimal:
        return self.blue + self.red + sum(self.leaders.values(), Decimal(0))


def points_of(placed: list[Placed], points: Sequence[Any]) -> dict[str, Any]:
    """PG-18: whoever shares a place gets the points of that place."""
    return {p.player: points[p.rank - 1] for p in placed if p.rank <= len(points)}


def green(
    sums: list[Sum], red: list[Placed], blue: list[Placed], of_games: dict[str, list[Placed]]
) -> list[Placed]:
    """Of everybody who has points."""
    red_points, blue_points = points_of(red, PLACE_POINTS), points_of(blue, PLACE_POINTS)
    leaders = {
        kind.removeprefix("game:"): points_of(placed, LEADER_POINTS)
        for kind, placed in of_games.items()
    }
    rows = [
        Combined(
            one.player,
            blue_points.get(one.player, 0),
            red_points.get(one.player, 0),
            {game: points[one.player] for game, points in leaders.items() if one.player in points},
            one.games,
        )
        for one in sums
    ]
    criteria = {"points": lambda c: c.points, "games": lambda c: c.games}
    return place([row for row in rows if row.points > 0], criteria, green_columns)


def green_columns(one: Combined) -> dict[str, Any]:
    return {"value": one.points, "games": one.games}
