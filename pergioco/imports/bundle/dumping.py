"""Writes the whole federation as a bundle, row by row: its facts, and what was computed from them."""

import csv
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from django.db import connection, transaction

from pergioco.imports.bundle import computed, computed_big, exporting
from pergioco.imports.bundle.exporting import Undumpable
from pergioco.imports.bundle.files import (
    BIG_ELO_CHANGES,
    BIG_RESULTS,
    COMPUTED,
    FACTS,
    PGR_CHANGES,
    RACE_POINTS,
    RANKINGS,
    RKM_SCORES,
    RKM_STANDINGS,
    File,
)
from pergioco.imports.bundle.progress import Progress
from pergioco.imports.bundle.reading import Step
from pergioco.players import audit
from pergioco.stages.models import Stage

Open = Callable[[str], Any]


@transaction.atomic
def dump(path: Path, *, as_of: date | None = None, progress: Progress | None = None) -> dict[str, int]:
    """File -> rows. Written beside the target first, so that there is a whole bundle or none."""
    hold_still()
    bar = progress or Progress(None)
    if path.exists() and (path.is_file() or any(path.iterdir())):
        raise Undumpable(f"{path} exists already. Name a new folder, or a new file that ends in .zip.")
    unfinished = path.with_name(f"{path.name}.part")
    try:
        with a_place(unfinished, zipped=path.suffix == ".zip") as open_file:
            written = {file.name: dump_file(file, open_file, as_of, bar) for file in FACTS}
            written |= dump_computed(open_file, as_of, bar)
        if path.is_dir():
            path.rmdir()
        unfinished.rename(path)
    finally:
        bar.end()
        remove(unfinished)
    audit.record("bundle.dumped", Stage(), by=None, changes={name: ["", str(n)] for name, n in written.items()})
    return written


def dump_into(into: IO[bytes], year: int, tell: Callable[[dict[str, int]], None]) -> dict[str, int]:
    """As a saved export, always of today and of all years: written whole before the first byte is handed on."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "federation.zip"
        written = dump(path)
        with path.open("rb") as whole:
            shutil.copyfileobj(whole, into)
    tell(written)
    return written


def hold_still() -> None:
    """All files tell of the same moment, however long the writing takes. SQLite does so by itself."""
    if connection.vendor == "postgresql" and not connection.savepoint_ids:  # it must be the transaction's first word
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


@contextmanager
def a_place(path: Path, *, zipped: bool) -> Iterator[Open]:
    """Nobody else on the machine may read it: it is full of personal data."""
    remove(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not zipped:
        path.mkdir(mode=0o700)
        yield lambda name: private(path / name)
        return
    with private(path) as raw, zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        yield lambda name: archive.open(name, "w", force_zip64=True)


def private(path: Path) -> Any:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def dump_file(file: File[Any], open_file: Open, as_of: date | None, bar: Progress) -> int:
    source = exporting.SOURCES[file.name]
    optional = exporting.used_columns(file, as_of)
    columns = [name for name in file.columns if name not in file.optional or name in optional]
    bar.begin(file.name, source.count(as_of))
    return write_file(file.name, open_file, columns, source.rows(as_of), bar.step)


def dump_computed(open_file: Open, as_of: date | None, bar: Progress) -> dict[str, int]:
    rankings = computed.rankings(as_of)
    scores, standings = computed.master_rows(rankings)
    of_big = computed_big.results(as_of, rankings)
    rows: dict[str, Iterable[dict[str, Any]]] = {
        PGR_CHANGES.name: computed.change_rows(computed.changes(as_of)),
        RANKINGS.name: computed.ranking_rows(rankings),
        RACE_POINTS.name: computed.race_rows(rankings),
        RKM_SCORES.name: scores,
        RKM_STANDINGS.name: standings,
        BIG_RESULTS.name: computed_big.result_rows(of_big),
        BIG_ELO_CHANGES.name: computed_big.elo_rows(of_big),
    }
    bar.begin("numbers", len(COMPUTED))
    written = {}
    for file in COMPUTED:
        written[file.name] = write_file(file.name, open_file, [*file.columns], rows[file.name], lambda _row: None)
        bar.step(1)
    return written


def write_file(name: str, open_file: Open, columns: list[str], rows: Iterable[dict[str, Any]], step: Step) -> int:
    """The number of rows."""
    number = 0
    with open_file(name) as raw, TextIOWrapper(raw, encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        for number, row in enumerate(rows, 1):  # noqa: B007 - the last one is the count
            writer.writerow([cell(row.get(column)) for column in columns])
            step(1)
    return number


def cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, Decimal):
        return plain(value)
    if isinstance(value, dict):
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    return value.isoformat() if isinstance(value, date) else str(value)


def plain(value: Decimal) -> str:
    """Without zeros at the end, never with an exponent."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
