"""Random Masters, as the rows of a bundle: of any size, with ties, absences, renunciations, RisiKo!
made."""

import csv
import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

Row = dict[str, object]
HEADINGS = {
    "players.csv": "id first_name registered_on merged_into",
    "games.csv": "slug name_en",
    "seasons.csv": "year starts_on ends_on",
    "stages.csv": "slug circuit season game system pace starts_on ends_on seed status",
    "entries.csv": "stage player withdrew_after_round",
    "seats.csv": "stage round table seat player score off_objective objective_made phase",
}
SIZES = (4, 5, 8, 9, 10, 12, 13, 14, 16, 17, 20, 24, 33, 38, 48, 49, 50, 52, 62)
LARGE = (99, 100, 110, 150, 151, 199, 200, 211)


class World:
    """Everything follows from one number: Hypothesis chooses it, so that a failure can be
    repeated."""

    def __init__(self, seed: int, sizes: tuple[int, ...]) -> None:
        self.chance = random.Random(seed)
        self.rows: dict[str, list[Row]] = {name: [] for name in HEADINGS}
        self.rows["games.csv"].append({"slug": "risiko", "name_en": "RisiKo!"})
        for year in (2025, 2026):
            ends = date(year, 12, 31)
            self.rows["seasons.csv"].append(
                {"year": year, "starts_on": date(year, 1, 2), "ends_on": ends}
            )
        played = [self.chance.choice(sizes) for _ in range(self.chance.choice((1, 1, 2)))]
        self.players = [f"p{n}" for n in range(max(played) + 1)]
        for player in self.players:
            registered = self.chance.choice(("2021-10-01", ""))
            self.rows["players.csv"].append(
                {"id": player, "first_name": player, "registered_on": registered}
            )
        for number, size in enumerate(played):
            self.master(f"m{number}", size)

    def master(self, slug: str, size: int) -> None:
        year, self.points = self.chance.choice((2025, 2026)), self.chance.choice((3, 12, 87))
        status = self.chance.choice(("closed", "closed", "closed", "open"))
        stage = {
            "slug": slug,
            "circuit": "rkm",
            "season": year,
            "game": "risiko",
            "system": "other",
            "pace": "real_time",
        }
        on = date(year, self.chance.randint(1, 3), self.chance.randint(2, 12))
        seed = self.chance.choice(("", "ramo", "2026-03-12"))
        self.rows["stages.csv"].append(
            {
                **stage,
                "pace": "real_time",
                "starts_on": on,
                "ends_on": on,
                "seed": seed,
                "status": status,
            }
        )
        field = self.chance.sample(self.players, size)
        for player in field:
            self.rows["entries.csv"].append(
                {
                    "stage": slug,
                    "player": player,
                    "withdrew_after_round": self.chance.choice(("", "", "", 2, 3)),
                }
            )
        rounds = self.chance.choice((1, 2, 4, 4, 4, 4))
        for number in range(1, min(rounds, 2) + 1):
            self.round(slug, number, self.absent(field) if number > 1 else field)
        if rounds > 2:
            self.semifinals_and_final(slug, field)

    def absent(self, field: list[str]) -> list[str]:
        """In the second game some are missing."""
        here = self.chance.sample(field, len(field))
        return here[: max(4, len(here) - self.chance.choice((0, 0, 0, 1, 3)))]

    def semifinals_and_final(self, slug: str, field: list[str]) -> None:
        """Who sits there is none of the oracle's business: the seats are facts."""
        semifinalists = min(len(field) // 4 * 4, self.chance.choice((8, 12, 16, 32)))
        here = self.chance.sample(field, semifinalists)
        self.round(slug, 3, here, phase=self.chance.choice(("", "", "semifinal")))
        others = [player for player in field if player not in here]
        final = self.chance.sample(
            here + others[:2], min(len(here), self.chance.choice((4, 4, 4, 8)))
        )
        self.round(slug, 4, final, phase=self.chance.choice(("", "", "final")))

    def round(self, slug: str, number: int, players: list[str], phase: str = "") -> None:
        for table, own in enumerate(self.tables(players), 1):
            made = self.chance.randrange(len(own)) if self.chance.random() < 0.1 else None
            for seat, player in enumerate(own, 1):
                cells = {
                    "stage": slug,
                    "round": number,
                    "table": table,
                    "seat": seat,
                    "player": player,
                    "phase": phase,
                }
                self.rows["seats.csv"].append(cells | self.result(is_made=made == seat - 1))

    def result(self, *, is_made: bool) -> Row:
        return {
            "score": self.chance.randrange(self.points),
            "off_objective": self.chance.choice(("", "", 0, 1, 7)),
            "objective_made": int(is_made),
        }

    def tables(self, players: list[str]) -> Iterator[list[str]]:
        """Fours, and fives at the end for who is left over."""
        rest = self.chance.sample(players, len(players))
        fives = min(len(rest) % 4, len(rest) // 4)
        sizes = [4] * (len(rest) // 4 - fives) + [5] * fives
        for size in sizes:
            yield [rest.pop() for _ in range(size)]

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for name, heading in HEADINGS.items():
            with (folder / name).open("w", encoding="utf-8", newline="") as file:
                writer: csv.DictWriter[Any] = csv.DictWriter(
                    file, heading.split(), lineterminator="\n"
                )
                writer.writeheader()
                writer.writerows(self.rows[name])


def worlds(sizes: tuple[int, ...] = SIZES) -> st.SearchStrategy[World]:
    return st.builds(World, st.integers(0, 10**9), st.just(sizes))
