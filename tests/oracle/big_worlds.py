"""Random BIG tournaments, as the rows of a bundle: small fields and few different scores, so that
ties stand at every border; every shape of table, bids, time-outs, ghosts, byes, people who leave,
finals with and without phases."""

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
TODAY = date(2026, 3, 12)
HEADINGS = {
    "players.csv": "id first_name big_member_on disqualified_on disqualification merged_into "
    "erased_on",
    "games.csv": "slug name_en",
    "seasons.csv": "year starts_on ends_on settings",
    "stages.csv": "slug circuit season game system pace starts_on ends_on final seed status",
    "entries.csv": "stage player",
    "seats.csv": "stage round table seat player outcome kind score bid timed_out phase",
}
OF_TWO = [("win", "loss"), ("loss", "win"), ("draw", "draw")]
PHASES = ("qualification", "final_8", "final_4", "semifinal", "final")


@dataclass
class World:
    rows: dict[str, list[dict[str, object]]] = field(
        default_factory=lambda: {name: [] for name in HEADINGS}
    )

    def add(self, name: str, **cells: object) -> None:
        self.rows[name].append(cells)

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, heading in HEADINGS.items():
            with (folder / name).open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, heading.split(), lineterminator="\n")
                writer.writeheader()
                writer.writerows(self.rows[name])


@st.composite
def worlds(draw: Draw) -> World:
    world = World()
    players = [f"p{n:02}" for n in range(draw(st.integers(4, 17)))]
    games = ["azul", "catan"][: draw(st.integers(1, 2))]
    for year in (2025, 2026):
        settings = draw(
            st.sampled_from([{}, {}, {"big_elo_k": 33}, {"big_elo_start": 1501, "big_elo_k": 7}])
        )
        world.add(
            "seasons.csv",
            year=year,
            starts_on=date(year, 1, 2),
            ends_on=date(year, 12, 31),
            settings=json.dumps(settings),
        )
    for player in players:
        world.add("players.csv", id=player, **draw(people()))
    if draw(st.integers(0, 4)) == 0:
        world.rows["players.csv"][-1] = {"id": players[-1], "merged_into": players[0]}
    for game in games:
        world.add("games.csv", slug=game, name_en=game)
    for number in range(draw(st.sampled_from([1, 1, 2, 3, 7]))):
        tournament(draw, world, f"t{number}", players, draw(st.sampled_from(games)))
    return world


@st.composite
def people(draw: Draw) -> dict[str, object]:
    found: dict[str, object] = {
        "big_member_on": draw(
            st.sampled_from([date(2024, 1, 1)] * 5 + ["", date(2026, 2, 1), date(2026, 3, 13)])
        )
    }
    if draw(st.integers(0, 9)) == 0:
        found |= {
            "disqualified_on": draw(days()),
            "disqualification": draw(st.sampled_from(["ranking", "void"])),
        }
    if draw(st.integers(0, 14)) == 0:
        found |= {"erased_on": draw(days())}
    return found


def days() -> st.SearchStrategy[date]:
    return st.integers(0, 430).map(lambda day: date(2025, 1, 2) + timedelta(days=day))


def tournament(draw: Draw, world: World, slug: str, players: list[str], game: str) -> None:
    day = draw(days())
    is_final = draw(st.integers(0, 2)) == 0
    own = draw(st.lists(st.sampled_from(players), min_size=4, unique=True))
    world.add(
        "stages.csv",
        slug=slug,
        circuit="big",
        season=day.year,
        game=game,
        system="swiss",
        pace="real_time",
        starts_on=day,
        ends_on=day,
        final=int(is_final),
        seed=draw(st.sampled_from(["", "one", "two"])),
        status=draw(st.sampled_from(["closed"] * 9 + ["open"])),
    )
    for player in own:
        world.add("entries.csv", stage=slug, player=player)
    size = draw(st.sampled_from([2, 3, 4, 4, 5, 7]))
    seated, told = own, draw(st.integers(0, 5)) == 0
    for number in range(1, draw(st.integers(1, 6 if is_final else 3)) + 1):
        seated = draw(who_goes_on(seated, size, is_final=is_final and number > 1))
        phase = draw(st.sampled_from(["", *PHASES])) if told else ""
        play_round(draw, world, (slug, number, phase), draw(st.permutations(seated)), size)


@st.composite
def who_goes_on(draw: Draw, seated: list[str], size: int, *, is_final: bool) -> list[str]:
    """All, nearly all, or as many as final phases have."""
    few = [size, 2 * size, 9, 6, 8, 4] if is_final else []
    left = draw(st.sampled_from([len(seated), len(seated), len(seated) - 1, *few]))
    return seated[: max(2, min(left, len(seated)))]


def play_round(
    draw: Draw, world: World, of: tuple[str, int, str], seated: list[str], size: int
) -> None:
    slug, number, phase = of
    for table, at in enumerate(range(0, len(seated), size), 1):
        for seat, (player, cells) in enumerate(draw(a_table(seated[at : at + size])), 1):
            place = {"stage": slug, "round": number, "table": table, "seat": seat, "phase": phase}
            world.add("seats.csv", **place, player=player, **cells)


@st.composite
def a_table(draw: Draw, players: list[str]) -> list[tuple[str, dict[str, object]]]:
    if len(players) == 1:
        return [(players[0], {"outcome": "win", "kind": "bye"})]
    what = draw(st.sampled_from(["scores", "scores", "scores", "outcomes", "suspended", "absent"]))
    if len(players) == 2 and what == "outcomes":
        return [
            (p, {"outcome": o}) for p, o in zip(players, draw(st.sampled_from(OF_TWO)), strict=True)
        ]
    if len(players) == 2 and what == "absent":
        kinds = draw(
            st.sampled_from(
                [("walkover", "no_show"), ("no_show", "walkover"), ("no_show", "no_show")]
            )
        )
        return [(p, {"kind": kind}) for p, kind in zip(players, kinds, strict=True)]
    cells = [draw(a_score()) for _player in players]
    if what == "suspended":
        cells = [cell | {"outcome": "draw"} for cell in cells]
    if what == "outcomes":
        cells = [cell | {"outcome": "win" if n == 0 else "loss"} for n, cell in enumerate(cells)]
    if what == "absent" and len(players) > 2:
        cells[-1] = {"kind": draw(st.sampled_from(["no_show", "quit"])), "score": 0}
    return list(zip(players, cells, strict=True))


@st.composite
def a_score(draw: Draw) -> dict[str, object]:
    """Few different ones: many ties, before the bid or after it."""
    bid = draw(st.sampled_from(["", "", "", 1, "0.5", 30]))
    return {
        "score": draw(st.sampled_from([0, 1, "1.5", 20, 21, -3])),
        "bid": bid,
        "timed_out": draw(st.sampled_from(["", "", "", "", "", 1])),
    }
