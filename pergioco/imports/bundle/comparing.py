"""The computed files of a bundle against what was computed here: whatever differs is told, and stops nothing."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Any

from django.utils import timezone

from pergioco.imports.bundle import computed, computed_big
from pergioco.imports.bundle.checking import KEYS
from pergioco.imports.bundle.computed import Ranking
from pergioco.imports.bundle.dumping import cell
from pergioco.imports.bundle.exporting import Row
from pergioco.imports.bundle.files import (
    BIG_ELO_CHANGES,
    BIG_RESULTS,
    COMPUTED,
    PGR_CHANGES,
    RACE_POINTS,
    RANKINGS,
    RKM_SCORES,
    RKM_STANDINGS,
    STAGES,
    File,
)
from pergioco.imports.bundle.progress import Progress
from pergioco.imports.bundle.reading import value_of
from pergioco.imports.bundle.settling import Work
from pergioco.ledger import publishing
from pergioco.stages.models import Season
from ratings.facts import registered_since
from ratings.memory import Memory
from risiko_master import compute as masters

Values = dict[str, Any]


def compare(work: Work, bar: Progress) -> None:
    """Only files that are there: none of them has to be."""
    files = [file for file in COMPUTED if file.name in work.tables.rows]
    bar.begin("comparing", len(files))
    for file in files:
        compare_file(file, SOURCES[file.name](work), work)
        bar.step(1)


def pgr_rows(work: Work) -> Iterator[Row]:
    """Of the stages of this bundle; the portal may hold others."""
    stages = {row.slug for row in work.tables.of(STAGES)} | {row.stage for row in work.tables.of(PGR_CHANGES)}
    return (row for row in computed.change_rows(computed.changes(None)) if row["stage"] in stages)


def ranking_rows(work: Work) -> Iterator[Row]:
    days = {row.as_of for row in work.tables.of(RANKINGS)}
    return computed.ranking_rows(found for day in sorted(days) for found in computed.rankings_of(day))


def race_rows(work: Work) -> Iterator[Row]:
    return (row for day in days_told_by(RACE_POINTS, work) for row in computed.race_rows(computed.rankings_of(day)))


def score_rows(work: Work) -> list[Row]:
    return [row for day in days_told_by(RKM_SCORES, work) for row in computed.master_rows(masters_of(day))[0]]


def standing_rows(work: Work) -> list[Row]:
    return [row for day in days_told_by(RKM_STANDINGS, work) for row in computed.master_rows(masters_of(day))[1]]


def masters_of(day: date) -> Iterator[Ranking]:
    """Nothing else of that day has to be computed for them."""
    for season in Season.objects.filter(year=day.year):
        yield from (Ranking(one.kind, day, one.rows) for one in masters.rankings(day, season))


def days_told_by(file: File[Any], work: Work) -> Iterator[date]:
    """Of each season with a stage in the file: the day of the rankings beside it; without these, today's."""
    told = {row.stage for row in work.tables.of(file)}
    held_in = {stage.season_id for slug, stage in work.here.stages.items() if slug in told}
    for year, season in work.here.seasons.items():
        if season.pk in held_in:
            days = {row.as_of for row in work.tables.of(RANKINGS) if row.as_of.year == year}
            yield max(days, default=publishing.day_of(season))


def of_big(work: Work, file: File[Any]) -> list[Ranking]:
    """Of the stages of this bundle, up to the last of the days of the rankings beside them; without these today's."""
    stages = {row.slug for row in work.tables.of(STAGES)} | {row.stage for row in work.tables.of(file)}
    today = timezone.localdate()
    live = (publishing.day_of(season) for year, season in work.here.seasons.items() if year <= today.year)
    days = {row.as_of for row in work.tables.of(RANKINGS)} or {today, *live}
    return [one for one in computed_big.until(max(days)) if computed_big.slug_of(one) in stages]


SOURCES: dict[str, Callable[[Work], Iterable[Row]]] = {
    PGR_CHANGES.name: pgr_rows,
    RANKINGS.name: ranking_rows,
    RACE_POINTS.name: race_rows,
    RKM_SCORES.name: score_rows,
    RKM_STANDINGS.name: standing_rows,
    BIG_RESULTS.name: lambda work: computed_big.result_rows(of_big(work, BIG_RESULTS)),
    BIG_ELO_CHANGES.name: lambda work: computed_big.elo_rows(of_big(work, BIG_ELO_CHANGES)),
}


def compare_file(file: File[Any], rows: Iterable[Row], work: Work) -> None:
    computed_here = {
        tuple(values[name] for name in KEYS[file.name]): values for values in (parsed(file, row) for row in rows)
    }
    told = {tuple(getattr(row, name) for name in KEYS[file.name]): row for row in work.tables.of(file)}
    for one, row in told.items():
        if one in computed_here:
            compare_row(file, row, computed_here[one], work)
        else:
            work.report.differ(file.name, row.line, "", "Nothing is computed for this.")
    purged = Purged(work)
    for one, values in computed_here.items():
        if one not in told and not (file is PGR_CHANGES and purged.is_one(values)):
            work.report.differ(file.name, 0, "", f"{spelled(file, values)} is computed, and does not stand here.")


def parsed(file: File[Any], row: Row) -> Values:
    """As if it were read from a file: a number is the same however it is written."""
    return {name: value_of(column, cell(row.get(name))) for name, column in file.columns.items()}


def compare_row(file: File[Any], row: Any, values: Values, work: Work) -> None:
    """What is unknown there is no difference."""
    for name, found in values.items():
        told = getattr(row, name)
        if told is not None and told != found:
            work.report.differ(
                file.name, row.line, name, f"It says {cell(told) or 'nothing'}; {cell(found) or 'nothing'} is computed."
            )


def spelled(file: File[Any], values: Values) -> str:
    return ", ".join(
        f"{name} {cell(value)}" for name, value in values.items() if name != "detail" and value not in (None, "")
    )


class Purged:
    """Ratings of unregistered players that a purge elsewhere destroyed may be missing (PGM 28)."""

    def __init__(self, work: Work) -> None:
        self.here = work.here
        self.today = timezone.localdate()

    def is_one(self, change: Values) -> bool:
        player, ended_on = self.here.one(change["player"]), self.here.stages[change["stage"]].ends_on
        memory = Memory(registered_since([player]), today=self.today)
        memory.learn({player})
        return any(memory.purged(player, year) for year in range(ended_on.year + 1, self.today.year + 1))
