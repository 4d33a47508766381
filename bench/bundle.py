"""Loading and dumping a large federation: `python -m bench.bundle [stages] [seats a stage]`, on a
database of its own.

Prints seconds, memory, and how much slower it is than a bare bulk insert of the same rows.
"""

import csv
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import django

PLAYERS, GAMES, YEARS = 2000, 40, range(2022, 2027)
TABLES = 10


def write_bundle(folder: Path, stages: int, seats: int) -> None:
    """Two players a table, ten tables a round."""
    folder.mkdir(parents=True)
    days = [
        (f"s{n:04}", date(YEARS[n % len(YEARS)], 1, 2) + timedelta(days=n % 350))
        for n in range(stages)
    ]
    write(folder / "players.csv", "id first_name last_name country registered_on", people())
    write(folder / "games.csv", "slug name_en", ([f"g{n}", f"Game {n}"] for n in range(GAMES)))
    write(
        folder / "seasons.csv",
        "year starts_on ends_on",
        ([y, date(y, 1, 2), date(y, 12, 31)] for y in YEARS),
    )
    columns = "slug circuit season game system pace starts_on ends_on status"
    rows = (
        [slug, "pgm", day.year, f"g{n % GAMES}", "swiss", "real_time", day, day, "closed"]
        for n, (slug, day) in enumerate(days)
    )
    write(folder / "stages.csv", columns, rows)
    entered = (
        [s, f"p{(n + i) % PLAYERS}"] for n, (s, _day) in enumerate(days) for i in range(2 * TABLES)
    )
    write(folder / "entries.csv", "stage player", entered)
    write(
        folder / "seats.csv",
        "stage round table seat player outcome kind played_on",
        played(days, seats),
    )


def people() -> Iterator[list[Any]]:
    return ([f"p{n}", "Àgnes", f"Surname {n}", "IT", date(2021, 10, 1)] for n in range(PLAYERS))


def played(days: list[tuple[str, date]], seats: int) -> Iterator[list[Any]]:
    for number, (slug, day) in enumerate(days):
        for at in range(seats):
            table, seat = divmod(at, 2)
            round_, table = divmod(table, TABLES)
            player = f"p{(number + at % (2 * TABLES)) % PLAYERS}"
            yield [
                slug,
                round_ + 1,
                table + 1,
                seat + 1,
                player,
                "win" if seat == 0 else "loss",
                "played",
                day,
            ]


def write(path: Path, columns: str, rows: Iterator[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns.split())
        writer.writerows(rows)


def timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def bare_insert() -> float:
    """The same rounds, tables and seats once more, with nothing read, checked or compared: what the
    database costs."""
    from django.db import transaction

    from pergioco.stages.models import Round, Seat, Table

    kinds = [[copy_of(row) for row in model.objects.all()] for model in (Round, Table, Seat)]
    with transaction.atomic():
        for model in (Seat, Table, Round):
            model.objects.all()._raw_delete("default")  # type: ignore[attr-defined]  # noqa: SLF001
        return timed(lambda: [type(rows[0]).objects.bulk_create(rows) for rows in kinds])


def copy_of(row: Any) -> Any:
    row._state.adding = True  # noqa: SLF001
    return row


def measure(folder: Path, stages: int, seats: int) -> dict[str, float]:
    from pergioco.imports.bundle.dumping import dump_bundle
    from pergioco.imports.bundle.loading import load_bundle
    from pergioco.imports.bundle.report import Progress

    write_bundle(folder / "in", stages, seats)
    reports: list[Any] = []
    found = {"load": timed(lambda: reports.append(load_bundle(folder / "in", progress=Progress())))}
    found["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found["again"] = timed(lambda: reports.append(load_bundle(folder / "in")))
    found["dump"] = timed(lambda: dump_bundle(folder / "out"))
    found["bare"] = bare_insert()
    assert (reports[0].problems, reports[1].problems, reports[1].written) == ([], [], {})
    found["ratio"] = found["load"] / found["bare"]
    return {name: round(value, 2) for name, value in found.items()}


def main(stages: int = 1000, seats: int = 100) -> None:
    with tempfile.TemporaryDirectory() as place:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "pergioco.settings", "PORTAL_DATA_DIR": place}
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        found = measure(Path(place), stages, seats)
    print(
        json.dumps(
            {"stages": stages, "seats": stages * seats}
            | found
            | {"busy": round(os.getloadavg()[0], 1)}
        )
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
