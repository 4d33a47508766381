"""Random federations, as the rows of a bundle: every shape of result that a stage can take."""

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.oracle.federation import SYSTEM_BEGAN

Draw = Callable[[st.SearchStrategy[Any]], Any]
Row = dict[str, object]
TODAYS = (date(2026, 3, 12), date(2026, 12, 31), date(2027, 1, 1), date(2027, 2, 1))
YEARS = range(2021, 2028)
WON, LOST, DREW, ABSENT = (
    ("win", "played"),
    ("loss", "played"),
    ("draw", "played"),
    ("loss", "no_show"),
)
RESULTS = (
    (WON, LOST),
    (LOST, WON),
    (DREW, DREW),
    (("loss", "quit"), WON),
    (WON, ("loss", "quit")),
    (("win", "walkover"), ABSENT),
    (ABSENT, ("win", "walkover")),
    (ABSENT, ABSENT),
)
BYES = (("win", "bye"), ("draw", "bye"), ("loss", "bye"))
SETTINGS = {
    "unregistered_rating": ["shadow", "none"],
    "more_games_played": ["active", "lifetime", "year"],
    "race_drops": ["results", "absences_are_zero", "only_with_twelve"],
}
HEADINGS = {
    "players.csv": "id first_name registered_on disqualified_on disqualification merged_into "
    "erased_on",
    "games.csv": "slug name_en",
    "seasons.csv": "year starts_on ends_on settings",
    "stages.csv": "slug circuit season game system pace starts_on ends_on race status",
    "entries.csv": "stage player",
    "seats.csv": "stage round table seat player outcome kind played_on",
    "opening_ratings.csv": "player game pgr games last_played_on",
}


@dataclass
class World:
    """The rows of each file, and the day on which it is looked at."""

    today: date
    rows: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in HEADINGS})

    def add(self, name: str, **cells: object) -> None:
        self.rows[name].append(cells)

    def brought(self, player: str, game: str) -> date:
        """The day of the last game from before the stages on file."""
        same = {row["id"]: row.get("merged_into", row["id"]) for row in self.rows["players.csv"]}
        brought = [
            row
            for row in self.rows["opening_ratings.csv"]
            if row["game"] == game and row["last_played_on"]
        ]
        own = [row["last_played_on"] for row in brought if same[row["player"]] == same[player]]
        return max(own, default=date.min)

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, heading in HEADINGS.items():
            with (folder / name).open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, heading.split(), lineterminator="\n")
                writer.writeheader()
                writer.writerows(self.rows[name])


@st.composite
def worlds(draw: Draw) -> World:
    """Mostly some people over some years; or people who were away for years, a crowd that brought
    many ratings along, a year of Race."""
    world = World(draw(st.sampled_from(TODAYS)))
    kind = draw(st.sampled_from(["years", "years", "away", "crowd", "race"]))
    players = [f"p{n}" for n in range({"crowd": 18}.get(kind, draw(st.integers(2, 7))))]
    games = [f"g{n}" for n in range(12 if kind == "crowd" else draw(st.integers(1, 3)))]
    for year in YEARS:
        world.add(
            "seasons.csv",
            year=year,
            starts_on=date(year, 1, 2),
            ends_on=date(year, 12, 31),
            settings=json.dumps(draw(some_settings())),
        )
    for player in players:
        world.add("players.csv", id=player, **draw(people(is_away=kind == "away")))
    merge(draw, world)
    for game in games:
        world.add("games.csv", slug=game, name_en=game)
    openings(draw, world, players, games, often=kind == "crowd")
    for number in range(draw(st.integers(1, {"crowd": 3, "race": 12}.get(kind, 6)))):
        stage(draw, world, f"s{number}", players=players, games=games, kind=kind)
    return world


@st.composite
def some_settings(draw: Draw) -> dict[str, str]:
    named = draw(st.sets(st.sampled_from(sorted(SETTINGS)), max_size=2))
    return {name: draw(st.sampled_from(SETTINGS[name])) for name in sorted(named)}


@st.composite
def people(draw: Draw, *, is_away: bool) -> dict[str, object]:
    """Registered early, at some time, on a New Year's Day, or never; a few were disqualified."""
    when = draw(
        st.sampled_from(
            ["early", "some time" if is_away else "early", "some time", "new year", "never"]
        )
    )
    some_day = draw(days([2025, 2026]) if is_away else days())
    found: dict[str, object] = {
        "registered_on": {
            "early": date(2021, 9, 1),
            "some time": some_day,
            "new year": date(some_day.year + 1, 1, 1),
            "never": "",
        }[when]
    }
    if draw(st.integers(0, 7)) == 0:
        found |= {
            "disqualified_on": draw(days()),
            "disqualification": draw(st.sampled_from(["ranking", "void"])),
        }
    if draw(st.integers(0, 9)) == 0:
        found |= {"erased_on": draw(days())}
    return found


def merge(draw: Draw, world: World) -> None:
    """Now and then the last two turned out to be the first."""
    rows = world.rows["players.csv"]
    if len(rows) > 2 and draw(st.integers(0, 4)) == 0:
        rows[-2:] = [
            {"id": row["id"], "merged_into": rows[0]["id"]}
            for row in rows[-2:]
            if row is not rows[0]
        ]


def days(years: Sequence[int] = YEARS[:-1]) -> st.SearchStrategy[date]:
    """Days on which a stage may end: the first season began in October."""
    return st.builds(
        lambda year, day: max(date(year, 1, 2) + timedelta(days=day), SYSTEM_BEGAN),
        st.sampled_from(years),
        st.integers(0, 362),
    )


def openings(
    draw: Draw, world: World, players: list[str], games: list[str], *, often: bool
) -> None:
    """Few different numbers: many ties."""
    for player in players:
        for game in games:
            if draw(st.booleans()) if often else draw(st.integers(0, 5)) == 0:
                pgr = draw(
                    st.sampled_from(
                        ["1000.000", "1000.001", "1100.5", "990.999", "1410.002", "603.125"]
                    )
                )
                last = draw(
                    st.sampled_from(["", date(2021, 10, 1), date(2021, 12, 31), date(2025, 6, 1)])
                )
                last = date(2025, 6, 1) if often else last
                world.add(
                    "opening_ratings.csv",
                    player=player,
                    game=game,
                    pgr=pgr,
                    games=3,
                    last_played_on=last,
                )


def stage(
    draw: Draw, world: World, slug: str, *, players: list[str], games: list[str], kind: str
) -> None:
    """It ends inside its season; it may have begun the year before."""
    years = {"years": YEARS[:-1], "away": [2021, 2021, 2022, 2026]}.get(kind, [2026])
    ends = draw(days(years))
    starts = ends - timedelta(
        days=draw(st.sampled_from([0, 0, 5, 40, 400 if kind == "years" else 1]))
    )
    system = draw(st.sampled_from(["swiss", "swiss", "swiss", "round_robin", "other"]))
    late = ["open", "planned", "cancelled", "closed"]
    status = draw(st.sampled_from(["closed"] * 9 + ["open"] if ends <= world.today else late))
    race = kind == "race" or draw(st.integers(0, 3)) == 0
    game = draw(st.sampled_from(games))
    own = draw(st.lists(st.sampled_from(players), min_size=2, max_size=7, unique=True))
    own = [player for player in own if world.brought(player, game) < starts]
    status = status if len(own) > 1 else "planned"
    world.add(
        "stages.csv",
        slug=slug,
        circuit="pgm",
        season=ends.year,
        game=game,
        system=system,
        pace="real_time",
        starts_on=starts,
        ends_on=ends,
        race=int(race),
        status=status,
    )
    for player in own:
        world.add("entries.csv", stage=slug, player=player)
    if status in {"open", "closed"}:
        when = st.sampled_from(
            ["", "", starts, ends, ends - timedelta(days=3), date(starts.year, 12, 31)]
        )
        (swiss if system == "swiss" else round_robin)(draw, world, slug, own, when)


def swiss(
    draw: Draw, world: World, slug: str, own: list[str], when: st.SearchStrategy[Any]
) -> None:
    """In each round some may not be paired at all; of an odd number one has a bye."""
    for number in range(1, draw(st.integers(1, 4)) + 1):
        here = draw(st.permutations(own))
        here = here[: draw(st.sampled_from([len(here), len(here), len(here) - 1]))]
        for table, at in enumerate(range(0, len(here), 2), 1):
            sit(draw, world, (slug, number, table), here[at : at + 2], when)


def round_robin(
    draw: Draw, world: World, slug: str, own: list[str], when: st.SearchStrategy[Any]
) -> None:
    """All in one round, as where everything is played at once; some byes."""
    pairs = [list(pair) for pair in combinations(own, 2)][:10]
    for table, pair in enumerate([*pairs, *([own[:1]] if draw(st.booleans()) else [])], 1):
        sit(draw, world, (slug, 1, table), pair, when)


def sit(
    draw: Draw,
    world: World,
    place: tuple[str, int, int],
    players: list[str],
    when: st.SearchStrategy[Any],
) -> None:
    result = [draw(st.sampled_from(BYES))] if len(players) == 1 else draw(st.sampled_from(RESULTS))
    played_on = draw(when)
    for seat, (player, (outcome, kind)) in enumerate(zip(players, result, strict=True), 1):
        world.add(
            "seats.csv",
            **dict(zip(("stage", "round", "table"), place, strict=True)),
            seat=seat,
            player=player,
            outcome=outcome,
            kind=kind,
            played_on=played_on,
        )
