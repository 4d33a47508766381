"""Writes the whole federation as a bundle, row by row: facts, and the rankings computed from them.

A dump without a day holds the published rankings, each season's as of its publication. As of a day
they are computed for that day from today's ratings: corrections and void games are included.
"""

import csv
import os
import re
import shutil
import zipfile
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from decimal import Decimal
from io import TextIOWrapper
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from big_league.compute import compute_events
from pergioco.core import audit
from pergioco.imports.bundle.cells import NO_END, SINCE_EVER, Undumpable
from pergioco.imports.bundle.files import (
    ACCOUNTS,
    BIG_ELO_CHANGES,
    BIG_RESULTS,
    COMPUTED,
    FACTS,
    GAMES,
    PLAYERS,
    STAGES,
    AsOf,
    File,
    up_to,
)
from pergioco.imports.bundle.reading import Step
from pergioco.imports.bundle.report import Progress
from pergioco.players.models import ClubMember, Disqualification, Player, Sanction
from pergioco.publishing.computed import Computed
from pergioco.publishing.computed import Row as ComputedRow
from pergioco.publishing.models import Computation, Publication
from pergioco.publishing.services import publish
from pergioco.stages.models import Season, Stage, Variant

AT_ONCE = 2000
Open = Callable[[str], Any]
Row = dict[str, Any]
Compute = Callable[[date, Season], Iterable[Computed]]


@transaction.atomic
def dump_bundle(
    path: Path, *, as_of: AsOf = None, progress: Progress | None = None
) -> dict[str, int]:
    """File -> rows. Written beside the target first, so that there is a whole bundle or none."""
    isolate_snapshot()
    bar = progress or Progress(None)
    if path.exists() and (path.is_file() or any(path.iterdir())):
        raise Undumpable(
            f"{path} exists already. Name a new folder, or a new file that ends in .zip."
        )
    unfinished = path.with_name(f"{path.name}.part")
    try:
        with private_place(unfinished, zipped=path.suffix == ".zip") as open_file:
            written = {file.name: dump_facts(file, open_file, as_of, bar) for file in FACTS}
            written |= dump_computed(open_file, as_of, bar)
        if path.is_dir():
            path.rmdir()
        unfinished.rename(path)
    finally:
        bar.end()
        remove_path(unfinished)
    changes = {name: ["", str(number)] for name, number in written.items()}
    audit.record("bundle.dumped", Stage(), by=None, changes=changes)
    return written


def dump_into(into: IO[bytes], year: int, tell: Callable[[dict[str, int]], None]) -> dict[str, int]:
    # Written whole before the first byte is passed on. Always as of today, for all years.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "federation.zip"
        written = dump_bundle(path)
        with path.open("rb") as whole:
            shutil.copyfileobj(whole, into)
    tell(written)
    return written


def isolate_snapshot() -> None:
    # All files show the same moment, however long the writing takes. SQLite does so by itself.
    # It must be the transaction's first word.
    if connection.vendor == "postgresql" and not connection.savepoint_ids:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


@contextmanager
def private_place(path: Path, *, zipped: bool) -> Iterator[Open]:
    # Readable by the owner only: the bundle is full of personal data.
    remove_path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not zipped:
        path.mkdir(mode=0o700)
        yield lambda name: open_private(path / name)
        return
    with open_private(path) as raw, zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        yield lambda name: archive.open(name, "w", force_zip64=True)


def open_private(path: Path) -> Any:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def remove_path(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def dump_facts(file: File[Any], open_file: Open, as_of: AsOf, bar: Progress) -> int:
    if file.query is not None:
        bar.begin(file.name, file.query(as_of).count())
    names = [
        name for name in file.columns if name not in file.optional or file.optional[name]().exists()
    ]
    with closing(fact_rows(file, as_of)) as rows:
        return write_file(file, names, open_file, rows, bar.step)


def dump_computed(open_file: Open, as_of: AsOf, bar: Progress) -> dict[str, int]:
    rankings = list(published_rankings() if as_of is None else compute_rankings(as_of))
    bar.begin("numbers", len(COMPUTED))
    written = {}
    for file in COMPUTED:
        found = rankings if as_of is None or file not in OF_BIG else compute_big_events(as_of)
        rows = fact_rows(file, as_of) if file.query else ranking_rows(file, found)
        written[file.name] = write_file(file, [*file.columns], open_file, rows, lambda _row: None)
        bar.step(1)
    return written


def write_file(
    file: File[Any], names: list[str], open_file: Open, rows: Iterable[Row], step: Step
) -> int:
    """Returns the number of rows."""
    columns, number = [(name, file.columns[name].write) for name in names], 0
    with open_file(file.name) as raw, TextIOWrapper(raw, encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        for number, row in enumerate(rows, 1):  # noqa: B007 - the last one is the count
            writer.writerow([write(row.get(name)) for name, write in columns])
            step(1)
    return number


# The rows of a file from the database, as a stream


def fact_rows(file: File[Any], as_of: AsOf) -> Generator[Row, None, None]:
    if file.query is None:
        return
    found: Any = file.query(as_of).values_list(*file.sources.values()).iterator(chunk_size=AT_ONCE)
    with closing(found):  # its cursor ends with this transaction, also if a row is refused
        rows = (dict(zip(file.sources, values, strict=True)) for values in found)
        yield from COMPLETE[file.name](rows, as_of) if file.name in COMPLETE else rows


def known_until(day: date | None, as_of: AsOf) -> date | None:
    return day if day is None or as_of is None or day <= as_of else None


def player_rows(rows: Iterable[Row], as_of: AsOf) -> Iterator[Row]:
    # A merged player has only the id of the one who stays.
    clubs, decided = defaultdict[str, set[str]](set), decision_cells(as_of)
    for public_id, name in ClubMember.objects.values_list("player__public_id", "club__name"):
        clubs[public_id].add(name)
    for row in rows:
        if row["merged_into"]:
            yield {"id": row["id"], "merged_into": row["merged_into"]}
            continue
        row["big_member_on"] = known_until(row["big_member_on"], as_of)
        row["erased_on"] = timezone.localdate(row["erased_on"]) if row["erased_on"] else None
        yield row | {"clubs": clubs.get(row["id"])} | decided.get(row["id"], {})


def decision_cells(as_of: AsOf) -> dict[str, Row]:
    # The bundle has room for one sanction of a player, the last to end, and one disqualification.
    found = defaultdict[str, Row](dict)
    begun = Sanction.objects.filter(up_to(as_of, "starts_on")).order_by("ends_on", "starts_on")
    for public_id, first, last in begun.values_list("player__public_id", "starts_on", "ends_on"):
        until = None if last == NO_END else last
        found[public_id] |= {"sanctioned_from": first, "sanctioned_to": until}
    # Games that were declared void later are void in the numbers of every day, and so in what they
    # are made of
    in_force = up_to(as_of, "effective_on") | Q(kind=Disqualification.Kind.VOID) if as_of else Q()
    decisions = Disqualification.objects.filter(in_force, withdrawn_at=None)
    rows = decisions.exclude(confirmed_at=None).reverse()
    for public_id, day, kind in rows.values_list("player__public_id", "effective_on", "kind"):
        found[public_id] |= {"disqualified_on": day, "disqualification": kind}
    return found


def account_rows(rows: Iterable[Row], as_of: AsOf) -> Iterator[Row]:
    # A name given up on the day it was taken was never in use.
    for (_platform, key), group in groupby(rows, key=itemgetter("platform", "platform_id")):
        all_rows = list(group)
        known_id = "" if key.startswith("~") else key
        borne = [row for row in all_rows if row["valid_from"] != row["valid_to"]]
        for row in borne:
            if known_until(row["valid_from"], as_of):
                since = None if row["valid_from"] == SINCE_EVER else row["valid_from"]
                till = known_until(row["valid_to"], as_of)
                yield row | {"platform_id": known_id, "valid_from": since, "valid_to": till}
        if not borne and known_id:
            yield all_rows[0] | {"nickname": "", "valid_from": None, "valid_to": None}


def game_rows(rows: Iterable[Row], as_of: AsOf) -> Iterator[Row]:
    variants = defaultdict[str, set[str]](set)
    for variant in Variant.objects.select_related("game"):
        variants[variant.game.slug].add(str(variant))
    return (row | {"variants": variants.get(row["slug"])} for row in rows)


def stage_rows(rows: Iterable[Row], as_of: AsOf) -> Iterator[Row]:
    closed, still_open = str(Stage.Status.CLOSED), str(Stage.Status.OPEN)
    for row in rows:
        status = closed if row["status"] == Stage.Status.CORRECTED else row["status"]
        if status == closed and not known_until(row["ends_on"], as_of):
            status = still_open
        yield row | {"status": status}


COMPLETE: dict[str, Callable[[Iterable[Row], AsOf], Iterable[Row]]] = {
    PLAYERS.name: player_rows,
    ACCOUNTS.name: account_rows,
    GAMES.name: game_rows,
    STAGES.name: stage_rows,
}


OF_BIG = (BIG_RESULTS, BIG_ELO_CHANGES)
LINE = ("player_id", "rank", "value", "is_shared", "decided_by", "detail")


class Ranking(NamedTuple):
    kind: str
    as_of: date
    rows: Iterable[ComputedRow]


def published_rankings() -> Iterator[Ranking]:
    for publication in Publication.objects.filter(is_current=True).order_by("season__year"):
        shown = Computation.objects.filter(shown__publication=publication)
        for computation in shown.order_by("shown__pk"):
            lines = computation.lines.order_by("position").values_list(*LINE)
            rows = [ComputedRow(*values) for values in lines.iterator(chunk_size=AT_ONCE)]
            yield Ranking(computation.kind, publication.as_of, rows)


def compute_rankings(day: date, compute: Compute = publish.compute_season) -> Iterator[Ranking]:
    for season in Season.objects.filter(year=day.year):
        for computed in compute(day, season):
            yield Ranking(computed.kind, day, computed.rows)


def compute_big_events(day: date) -> Iterator[Ranking]:
    return (Ranking(one.kind, day, one.rows) for one in compute_events(day))


def ranking_rows(file: File[Any], found: Iterable[Ranking]) -> Iterator[Row]:
    names = dict(Player.objects.values_list("pk", "public_id"))
    games = dict(Stage.objects.filter(circuit=Stage.Circuit.BIG).values_list("slug", "game__slug"))
    for one in found:
        if re.match(file.rankings, one.kind):
            about = about_ranking(one, games)
            for line in one.rows:
                values = line.detail | about | about_line(one, line, names)
                # who met no opponent has none
                if file is not BIG_ELO_CHANGES or values["elo_after"] is not None:
                    yield {name: values.get(source) for name, source in file.sources.items()}


def about_ranking(one: Ranking, games: dict[str, str]) -> Row:
    """Rankings of one stage: "race:STAGE", "big-event:STAGE", "rkm:STAGE:PHASE or GAME[:ROUND]"."""
    _circuit, stage, phase, number = f"{one.kind}:::".split(":")[:4]
    return {
        "ranking": one.kind,
        "as_of": one.as_of,
        "stage__slug": stage,
        "game__slug": games.get(stage),
        "phase": phase,
        "round": number,
    }


def about_line(one: Ranking, line: ComputedRow, names: dict[int, str]) -> Row:
    return {
        "player__public_id": names[line.player],
        "rank": line.rank,
        "value": line.value,
        "value_with_zeros": with_zeros(one.kind, line.value),
        "decided_by": line.decided_by,
        "detail": line.detail,
    }


def with_zeros(kind: str, value: Decimal) -> Decimal | str:
    """PGRs, their sums and Elo have three decimals, BIG points two."""
    if kind == "blue" or kind.startswith(("game:", "big-elo:")):
        return f"{value:.3f}"
    return f"{value:.2f}" if kind.startswith("big") else value
