"""What the oracle says and what a dump says, as rows that can be held against each other."""

import csv
import json
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.oracle import race, standings
from tests.oracle.federation import Federation
from tests.oracle.ratings import History
from tests.oracle.standings import Placed

FILES = ("pgr_changes.csv", "rankings.csv", "race_points.csv")
Rows = list[tuple[Any, ...]]


def told_by(folder: Path) -> dict[str, Rows]:
    """The computed files of a dump; of a detail only what the oracle speaks of."""
    found = {}
    for name in FILES:
        with (folder / name).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        found[name] = sorted(
            tuple(row[column] for column in row if column != "detail") for row in rows
        )
    return found


def details_in(folder: Path) -> dict[tuple[str, str, str], dict[str, Any]]:
    with (folder / "rankings.csv").open(encoding="utf-8", newline="") as file:
        return {
            (r["ranking"], r["as_of"], r["player"]): json.loads(r["detail"])
            for r in csv.DictReader(file)
        }


def pgr_changes(past: History, until: date | None = None) -> Rows:
    return sorted(
        (
            change.stage.slug,
            change.stage.game,
            change.player,
            f"{change.before:.3f}",
            plain(change.scored),
            f"{change.expected:.6f}",
            str(len(change.valid_days)),
            f"{change.after:.3f}",
        )
        for change in past
        if until is None or change.stage.ends_on <= until
    )


def all_rankings(federation: Federation, past: History, day: date) -> dict[str, list[Placed]]:
    return standings.rankings(federation, past, day) | {"race": race.ranking(federation, day)}


def rankings(federation: Federation, past: History, days: Iterable[date]) -> Rows:
    return sorted(
        (
            kind,
            str(day),
            str(placed.rank),
            placed.player,
            f"{placed.value:.3f}"
            if kind == "blue" or kind.startswith("game:")
            else plain(placed.value),
            "" if placed.active_pgrs is None else str(placed.active_pgrs),
            "" if placed.games is None else str(placed.games),
            placed.decided_by,
        )
        for day in days
        for kind, rows in all_rankings(federation, past, day).items()
        for placed in rows
    )


def details(
    federation: Federation, past: History, days: Iterable[date]
) -> dict[tuple[str, str, str], dict[str, Any]]:
    return {
        (kind, str(day), placed.player): placed.detail
        for day in days
        for kind, rows in all_rankings(federation, past, day).items()
        for placed in rows
    }


def race_points(federation: Federation, days: Iterable[date]) -> Rows:
    return sorted(
        (stage.slug, result.player, str(result.position), str(result.players), str(result.points))
        for day in days
        for stage in race.season_of(federation, day).held
        for result in race.results_of(stage, federation, day)
    )


def plain(number: Decimal | int) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
