"""The facts of a bundle: who played whom, when, and who was registered."""

import csv
import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

SYSTEM_BEGAN = date(2021, 10, 1)  # 19
PRESENT = {"played", "walkover", "quit"}


@dataclass(frozen=True)
class Player:
    id: str
    registered_on: date | None
    disqualified_on: date | None
    erased_on: date | None
    games_are_void: bool  # once he is disqualified


@dataclass(frozen=True)
class Side:
    """One player's side of a game; a bye has no opponent."""

    round: int
    table: int
    player: str
    opponent: str | None
    outcome: str
    kind: str
    played_on: date | None

    @property
    def scored(self) -> Decimal:
        return {"win": Decimal(1), "draw": Decimal("0.5"), "loss": Decimal(0)}[self.outcome]


@dataclass(frozen=True)
class Stage:
    slug: str
    season: int
    game: str
    is_swiss: bool
    starts_on: date
    ends_on: date
    is_race: bool
    is_closed: bool
    sides: tuple[Side, ...]

    def day_of(self, side: Side) -> date:
        """PG-13: the day of the game if it is known and can be true, else the last day of the
        stage."""
        known = side.played_on is not None and self.starts_on <= side.played_on <= self.ends_on
        return side.played_on if known else self.ends_on

    def sides_of(self, player: str) -> list[Side]:
        """In the order of the rounds."""
        return sorted(
            (s for s in self.sides if s.player == player), key=lambda s: (s.round, s.table)
        )

    @property
    def players(self) -> list[str]:
        return sorted({side.player for side in self.sides})


@dataclass(frozen=True)
class Opening:
    player: str
    game: str
    pgr: Decimal
    last_played_on: date | None

    @property
    def earned_on(self) -> date:
        """If nobody knows when, it is at least known that it was after the system began."""
        return self.last_played_on or SYSTEM_BEGAN


@dataclass(frozen=True)
class Federation:
    players: dict[str, Player]
    settings: dict[int, dict[str, object]]  # of each season
    stages: list[Stage]  # of PerGioco Masters, in the order of PG-1, cancelled ones left out
    openings: list[Opening]

    @property
    def closed(self) -> list[Stage]:
        return [stage for stage in self.stages if stage.is_closed]

    def setting(self, year: int, name: str, default: str) -> str:
        return str(self.settings.get(year, {}).get(name, default))


def read(folder: Path, *, today: date) -> Federation:
    """As it is today: the games of players whose games are void by now never took place (PG-26)."""
    people = rows(folder, "players.csv")
    same = {row["id"]: row["merged_into"] for row in people if row.get("merged_into")}
    players = {row["id"]: player_of(row) for row in people if row["id"] not in same}
    void = {
        p.id
        for p in players.values()
        if p.games_are_void and p.disqualified_on and p.disqualified_on <= today
    }
    seats: dict[str, dict[tuple[int, int], list[dict[str, str]]]] = {}
    for row in rows(folder, "seats.csv"):
        row["player"] = same.get(row["player"], row["player"])
        seats.setdefault(row["stage"], {}).setdefault(
            (int(row["round"]), int(row["table"])), []
        ).append(row)
    stages = [
        stage_of(row, list(seats.get(row["slug"], {}).values()), void)
        for row in rows(folder, "stages.csv")
        if row["circuit"] == "pgm" and row["status"] != "cancelled"
    ]
    return Federation(
        players,
        {
            int(row["year"]): json.loads(row["settings"] or "{}")
            for row in rows(folder, "seasons.csv")
        },
        sorted(stages, key=lambda stage: (stage.ends_on, stage.slug)),
        openings(rows(folder, "opening_ratings.csv"), same),
    )


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    if not (folder / name).exists():
        return []
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


def player_of(row: dict[str, str]) -> Player:
    return Player(
        id=row["id"],
        registered_on=day(row["registered_on"]),
        disqualified_on=day(row["disqualified_on"]),
        erased_on=day(row.get("erased_on", "")),
        games_are_void=row["disqualification"] == "void",
    )


def openings(brought: list[dict[str, str]], same: dict[str, str]) -> list[Opening]:
    """What two players brought who turned out to be one: that of the one who stays counts, else the
    one that was played last."""
    found: dict[tuple[str, str], Opening] = {}
    for row in sorted(brought, key=lambda row: (row["player"] not in same, row["last_played_on"])):
        player = same.get(row["player"], row["player"])
        last = day(row["last_played_on"])
        found[player, row["game"]] = Opening(player, row["game"], Decimal(row["pgr"]), last)
    return list(found.values())


def stage_of(row: dict[str, str], tables: list[list[dict[str, str]]], void: set[str]) -> Stage:
    sides = [
        side
        for table in tables
        if void.isdisjoint(s["player"] for s in table)
        for side in sides_of(table)
    ]
    return Stage(
        slug=row["slug"],
        season=int(row["season"]),
        game=row["game"],
        is_swiss=row["system"] == "swiss",
        starts_on=date.fromisoformat(row["starts_on"]),
        ends_on=date.fromisoformat(row["ends_on"]),
        is_race=row["race"] == "1",
        is_closed=row["status"] == "closed",
        sides=tuple(sides),
    )


def sides_of(table: list[dict[str, str]]) -> list[Side]:
    """Two seats are a game, one is a bye. Nobody plays himself: it was found later that the two
    were one person."""
    players = [seat["player"] for seat in table]
    if len(players) == 2 and players[0] == players[1]:
        return []
    opponents = [None] if len(players) == 1 else players[::-1]
    return [
        Side(
            round=int(seat["round"]),
            table=int(seat["table"]),
            player=seat["player"],
            opponent=opponent,
            outcome=seat["outcome"],
            kind=seat["kind"],
            played_on=day(seat["played_on"]),
        )
        for seat, opponent in zip(table, opponents, strict=True)
        if seat["outcome"]
    ]
