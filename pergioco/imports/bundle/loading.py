"""Loads a bundle: checks everything, then writes all of it or nothing, and compares the computed
files.

Ratings and rankings are computed in the same transaction: new results never show beside old
numbers. Differences between the computed files and the numbers computed here are reported, and stop
nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from django.db import DatabaseError, transaction
from django.utils import timezone

from pergioco.core import audit
from pergioco.core.database import analyze_tables
from pergioco.imports.bundle import dumping
from pergioco.imports.bundle.cells import plain_text
from pergioco.imports.bundle.checking import RULES, check_tables
from pergioco.imports.bundle.dumping import Ranking, Row, fact_rows
from pergioco.imports.bundle.files import COMPUTED, PGR_CHANGES, RACE_POINTS, RANKINGS, STAGES, File
from pergioco.imports.bundle.reading import Bundle, Tables, Unopenable, parse_cell, read_tables
from pergioco.imports.bundle.report import Problem, Progress, Report
from pergioco.imports.bundle.results import write_results
from pergioco.imports.bundle.settling import REASON, Here, Work
from pergioco.imports.bundle.writing import write_accounts, write_calendar, write_people
from pergioco.players.models import Disqualification
from pergioco.publishing.decisions import Decision
from pergioco.publishing.models import Publication
from pergioco.publishing.services import publish
from pergioco.stages.models import OpeningRating, Season, Stage
from ratings.compute import games_with_ratings, recompute_all
from ratings.facts import registered_since
from ratings.purging import Memory
from risiko_master.compute import compute_master_rankings


def load_bundle(path: Path, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
    """A dry run writes too and rolls back: its report is exact."""
    report, bar = Report(), progress or Progress(None)
    try:
        bundle = Bundle(path)
    except (Unopenable, OSError) as unopenable:
        report.add(path.name, 0, "", str(unopenable))
        return report
    bar.begin("reading", bundle.size())
    tables = read_tables(bundle, report, bar.step)
    try:
        with transaction.atomic():
            settle_all(tables, report, bar)
            if dry_run or report.problems:
                transaction.set_rollback(True)
    except DatabaseError as refused:
        report.add(path.name, 0, "", f"The database does not take this: {refused}.")
    finally:
        bar.end()
    return report


def settle_all(tables: Tables, report: Report, bar: Progress) -> None:
    here = Here.read()
    bar.begin("checking", len(RULES))
    check_tables(tables, here, report, bar.step)
    if not report.problems:
        work = Work(tables, here, report)
        write_facts(work, bar)
        if not report.problems:
            compute_numbers(work, bar)
            compare_numbers(work, bar)


def write_facts(work: Work, bar: Progress) -> None:
    bar.begin("people, calendar", 3)
    for part in (write_people, write_accounts, write_calendar):
        part(work)
        bar.step(1)
        if work.report.problems:
            return
    bar.begin("results", len(work.tables.of(STAGES)))
    write_results(work, bar.step)


def compute_numbers(work: Work, bar: Progress) -> None:
    # Everything is computed; rows that the same facts gave before are not written again.
    decision = record_load(work.report)
    analyze_tables()
    bar.begin("ratings", games_with_ratings().count())
    recompute_all(cause=REASON, each=bar.step)
    seasons = Season.objects.filter(year__lte=timezone.localdate().year).order_by("year")
    bar.begin("rankings", len(seasons))
    before = Publication.objects.count()
    for season in seasons:
        publish.follow_in_season(season, cause=REASON, decision=decision)
        bar.step(1)
    work.report.count(Publication, made=Publication.objects.count() - before)


def record_load(report: Report) -> Decision | None:
    """Writes the audit log. Changed facts are a correction, which gets its errata."""
    if not report.written:
        return None
    changes = {kind: ["", "+{} ~{} −{}".format(*counts)] for kind, counts in report.written.items()}
    entry = audit.record("bundle.loaded", Stage(), by=None, changes=changes, reason=REASON)
    decision = Decision(f"log {entry.pk}", entry.at, cause=REASON)
    return decision if is_correction(report.written) else None


def is_correction(written: Mapping[str, Sequence[int]]) -> bool:
    # New stages are no correction, like the closing of a stage.
    about_known = (Disqualification.__name__, OpeningRating.__name__)
    return any(
        changed or removed or kind in about_known
        for kind, (_made, changed, removed) in written.items()
    )


def compare_numbers(work: Work, bar: Progress) -> None:
    files = [file for file in COMPUTED if file.name in work.tables.rows]
    bar.begin("comparing", len(files))
    for file in files:
        compare_file(file, computed_rows(file, work), work)
        bar.step(1)


def computed_rows(file: File[Any], work: Work) -> Iterable[Row]:
    """What a dump would hold of the stages in this bundle and of the days in its rankings."""
    if file is PGR_CHANGES or file in dumping.OF_BIG:
        return computed_rows_of_stages(file, work)
    given = sorted({row.as_of for row in work.tables.of(RANKINGS)})
    days = given if file is RANKINGS else ranking_days(file, work)
    compute = publish.compute_season if file in (RANKINGS, RACE_POINTS) else compute_master_rankings
    rankings = (one for day in days for one in dumping.compute_rankings(day, compute))
    return dumping.ranking_rows(file, rankings)


def computed_rows_of_stages(file: File[Any], work: Work) -> Iterator[Row]:
    stages = {row.slug for row in work.tables.of(STAGES)}
    stages |= {row.stage for row in work.tables.of(file)}
    found: Iterable[Row]
    if file.query:
        found = fact_rows(file, None)
    else:
        found = dumping.ranking_rows(file, find_big_events(work))
    return (row for row in found if row["stage"] in stages)


def ranking_days(file: File[Any], work: Work) -> Iterator[date]:
    """For each season with a stage in the file: the day of the rankings beside it, else today's."""
    given = {row.stage for row in work.tables.of(file)}
    held_in = {stage.season_id for slug, stage in work.here.stages.items() if slug in given}
    for year, season in work.here.seasons.items():
        if season.pk in held_in:
            days = {row.as_of for row in work.tables.of(RANKINGS) if row.as_of.year == year}
            yield max(days, default=publish.publication_day(season))


def find_big_events(work: Work) -> Iterable[Ranking]:
    # Up to the last day of the rankings beside them, else today's.
    today = timezone.localdate()
    begun = [season for year, season in work.here.seasons.items() if year <= today.year]
    given = [row.as_of for row in work.tables.of(RANKINGS)]
    return dumping.compute_big_events(max(given or [today, *map(publish.publication_day, begun)]))


def compare_file(file: File[Any], rows: Iterable[Row], work: Work) -> None:
    here = {file.key_of(row): row for row in (parse_row(file, row) for row in rows)}
    given = {file.key_of(row): row for row in work.tables.of(file)}
    for key, row in given.items():
        if key in here:
            compare_row(file, row, here[key], work)
        else:
            add_difference(work, file, row.line, "", "Nothing is computed for this.")
    purged = Purged(work)
    for key, row in here.items():
        if key not in given and not (file is PGR_CHANGES and purged.is_one(row)):
            sentence = f"{spell_row(file, row)} is computed, and does not stand here."
            add_difference(work, file, 0, "", sentence)


def parse_row(file: File[Any], row: Row) -> Any:
    # As if read from a file: a number is the same however it is written.
    return file.row(
        0, *(parse_cell(column, column.write(row[name])) for name, column in file.columns.items())
    )


def compare_row(file: File[Any], row: Any, here: Any, work: Work) -> None:
    # An unknown cell is no difference.
    for name in file.columns:
        given, found = getattr(row, name), getattr(here, name)
        if given is not None and given != found:
            says, computed = (plain_text(value) or "nothing" for value in (given, found))
            sentence = f"It says {says}; {computed} is computed."
            add_difference(work, file, row.line, name, sentence)


def spell_row(file: File[Any], row: Any) -> str:
    values = {name: getattr(row, name) for name in file.columns if name != "detail"}
    return ", ".join(
        f"{name} {plain_text(value)}" for name, value in values.items() if value not in (None, "")
    )


def add_difference(work: Work, file: File[Any], line: int, column: str, sentence: str) -> None:
    work.report.differences.append(Problem(file.name, line, column, sentence))


class Purged:
    """Ratings of unregistered players that a purge elsewhere destroyed may be missing (PGM 28)."""

    def __init__(self, work: Work) -> None:
        self.here = work.here
        self.today = timezone.localdate()

    def is_one(self, change: Any) -> bool:
        player, ended_on = self.here.one(change.player), self.here.stages[change.stage].ends_on
        memory = Memory(registered_since([player]), today=self.today)
        memory.learn({player})
        years = range(ended_on.year + 1, self.today.year + 1)
        return any(memory.purged(player, year) for year in years)
