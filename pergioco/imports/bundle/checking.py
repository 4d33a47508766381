"""What no single cell shows: things named twice, things that are not there."""

from collections.abc import Callable, Container, Hashable, Iterable
from typing import Any

from pergioco.imports.bundle.files import (
    ACCOUNTS,
    BIG_ELO_CHANGES,
    BIG_RESULTS,
    COMPUTED,
    ENTRIES,
    FACTS,
    GAMES,
    OPENINGS,
    PGR_CHANGES,
    PLAYERS,
    RACE_POINTS,
    RANKINGS,
    RKM_SCORES,
    RKM_STANDINGS,
    SEASONS,
    SEATS,
    STAGES,
    File,
)
from pergioco.imports.bundle.here import Here
from pergioco.imports.bundle.problems import Report
from pergioco.imports.bundle.reading import Tables

# What tells the rows of a file apart
KEYS: dict[str, tuple[str, ...]] = {
    PLAYERS.name: ("id",),
    ACCOUNTS.name: ("player", "platform", "platform_id", "nickname", "valid_from"),
    GAMES.name: ("slug",),
    SEASONS.name: ("year",),
    STAGES.name: ("slug",),
    ENTRIES.name: ("stage", "player"),
    SEATS.name: ("stage", "round", "table", "seat"),
    OPENINGS.name: ("player", "game"),
    PGR_CHANGES.name: ("stage", "player"),
    RANKINGS.name: ("ranking", "as_of", "player"),
    RACE_POINTS.name: ("stage", "player"),
    RKM_SCORES.name: ("stage", "round", "player"),
    RKM_STANDINGS.name: ("stage", "phase", "player"),
    BIG_RESULTS.name: ("stage", "player"),
    BIG_ELO_CHANGES.name: ("stage", "player"),
}


def check_names(tables: Tables, here: Here, report: Report) -> None:
    for file in (*FACTS, *COMPUTED):
        check_once(file, tables, report)
    players = tables.names(PLAYERS, "id") | here.players.keys()
    games = tables.names(GAMES, "slug") | here.games.keys()
    seasons = tables.names(SEASONS, "year") | here.seasons.keys()
    stages = tables.names(STAGES, "slug")
    for file in (ACCOUNTS, ENTRIES, SEATS, OPENINGS):
        check_known(file, "player", players, tables, report)
    for file in (STAGES, OPENINGS):
        check_known(file, "game", games, tables, report)
    check_known(STAGES, "season", seasons, tables, report)
    for file in (ENTRIES, SEATS):
        check_known(file, "stage", stages, tables, report)


def check_once(file: File[Any], tables: Tables, report: Report) -> None:
    names = KEYS[file.name]
    first = repeated(tables.of(file), lambda row: tuple(getattr(row, name) for name in names))
    for row, line in first:
        report.add(file.name, row.line, names[-1], f"The same stands in line {line} already.")


def repeated(rows: Iterable[Any], key: Callable[[Any], Hashable]) -> list[tuple[Any, int]]:
    """Each row whose key came before, and the line of the first one."""
    seen: dict[Hashable, int] = {}
    return [(row, line) for row in rows if (line := seen.setdefault(key(row), row.line)) != row.line]


def check_known(file: File[Any], column: str, known: Container[Any], tables: Tables, report: Report) -> None:
    where = f"{column}s.csv"
    for row in tables.of(file) if where not in tables.torn else ():
        if getattr(row, column) not in known:
            report.add(file.name, row.line, column, f"“{getattr(row, column)}” does not stand in {where}.")
