"""What the seats of a stage must agree on before it can be closed; the same that the desk holds against a draft."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from itertools import groupby

from pergioco.imports.bundle.files import ENTRIES, OPENINGS, PLAYERS, SEATS, STAGES, SeatRow, StageRow
from pergioco.imports.bundle.problems import Report
from pergioco.imports.bundle.reading import Tables
from pergioco.stages.models import Seat, Stage
from pergioco.stages.rules.results import EMPTY, sign_of

Place = tuple[int, int]  # round, table
OUTCOME_OF = {"walkover": "win", "no_show": "loss", "quit": "loss", "bye": "win"}
WITH_RESULTS = (Stage.Status.OPEN, Stage.Status.CLOSED)


def by_stage(rows: Iterable[SeatRow]) -> dict[str, list[SeatRow]]:
    """In the order of rounds, tables and seats."""
    found: dict[str, list[SeatRow]] = defaultdict(list)
    for row in rows:
        found[row.stage].append(completed(row))
    for seats in found.values():
        seats.sort(key=lambda row: (row.round, row.table, row.seat))
    return found


def completed(row: SeatRow) -> SeatRow:
    """What one of the two tells of the other: an absence is a loss, an outcome with nothing beside it was played."""
    if row.kind and not row.outcome and row.kind in OUTCOME_OF:
        return row._replace(outcome=OUTCOME_OF[row.kind])
    return row._replace(kind=str(Seat.Kind.PLAYED)) if row.outcome and not row.kind else row


def check_results(tables: Tables, report: Report) -> None:
    if tables.torn & {SEATS.name, ENTRIES.name}:
        return
    seats, entered = by_stage(tables.of(SEATS)), defaultdict[str, set[str]](set)
    for entry in tables.of(ENTRIES):
        entered[entry.stage].add(entry.player)
    check_openings(tables, seats, report)
    doubtful = tables.doubtful(ENTRIES, "stage") | tables.doubtful(SEATS, "stage")
    for row in tables.of(STAGES):
        if row.slug not in doubtful:  # what is missing there may only be misspelt
            check_stage(row, seats.get(row.slug, []), entered[row.slug], report)


def check_openings(tables: Tables, seats: dict[str, list[SeatRow]], report: Report) -> None:
    """What was earned before the first stage was not played after it."""
    same = {row.id: row.merged_into or row.id for row in tables.of(PLAYERS)}
    first: dict[tuple[str, str], date] = {}
    for stage in sorted(tables.of(STAGES), key=lambda row: row.ends_on, reverse=True):
        if stage.status == Stage.Status.CLOSED and stage.circuit == Stage.Circuit.PGM:
            first |= {
                (same.get(row.player, row.player), stage.game): stage.ends_on for row in seats.get(stage.slug, [])
            }
    for row in tables.of(OPENINGS):
        ended_on = first.get((same.get(row.player, row.player), row.game), date.max)
        if row.last_played_on and row.last_played_on > ended_on:
            sentence = f"The first stage of this game with this player ended before, on {ended_on}."
            report.add(OPENINGS.name, row.line, "last_played_on", sentence)


def check_stage(stage: StageRow, seats: list[SeatRow], entered: set[str], report: Report) -> None:
    if seats and stage.status not in WITH_RESULTS:
        report.add(SEATS.name, seats[0].line, "stage", f"“{stage.slug}” is {stage.status}: it has no results yet.")
    if stage.status == Stage.Status.CLOSED and not seats:
        report.add(STAGES.name, stage.line, "status", "A closed stage has results, and there are none in seats.csv.")
    if stage.race and len(entered) > Stage.RACE_CAPACITY:
        sentence = f"A Race stage seats {Stage.RACE_CAPACITY} at most (PGM 40); {len(entered)} are entered."
        report.add(STAGES.name, stage.line, "race", sentence)
    for row in seats:
        if row.player not in entered:
            report.add(SEATS.name, row.line, "player", "This player is not entered in the stage (entries.csv).")
    check_phases(seats, report)
    check_once_a_round(stage, seats, report)
    for _place, table in groupby(seats, key=lambda row: (row.round, row.table)):
        check_table(stage, list(table), report)


def check_phases(seats: list[SeatRow], report: Report) -> None:
    first: dict[int, SeatRow] = {}
    for row in filter(lambda row: row.phase, seats):
        before = first.setdefault(row.round, row)
        if before.phase != row.phase:
            report.add(SEATS.name, row.line, "phase", f"In line {before.line} this round has another phase.")


def check_once_a_round(stage: StageRow, seats: list[SeatRow], report: Report) -> None:
    """At one table only in a round; in a round robin played all at once a round holds many of his games."""
    at_tables = stage.system != Stage.System.SWISS
    first: dict[tuple[int, int, str], SeatRow] = {}
    for row in seats:
        before = first.setdefault((row.round, row.table if at_tables else 0, row.player), row)
        if before is not row:
            report.add(SEATS.name, row.line, "player", f"The same player sits in line {before.line} already.")


def check_table(stage: StageRow, table: list[SeatRow], report: Report) -> None:
    if [row.seat for row in table] != list(range(1, len(table) + 1)):
        report.add(SEATS.name, table[0].line, "seat", "The seats of a table are numbered 1, 2, 3 … without gaps.")
    fine = [check_seat(stage, row, report) for row in table]
    if stage.circuit == Stage.Circuit.PGM and all(fine):
        check_pair(table, report)
    if stage.status == Stage.Status.CLOSED:
        check_complete(stage, table, report)


def check_seat(stage: StageRow, row: SeatRow, report: Report) -> bool:
    wanted = row.outcome if row.kind == Seat.Kind.BYE else OUTCOME_OF.get(row.kind, row.outcome)
    if row.outcome != wanted:
        report.add(SEATS.name, row.line, "outcome", f"The kind {row.kind} goes with {wanted}.")
    elif stage.circuit == Stage.Circuit.PGM and row.kind and not row.outcome:
        report.add(SEATS.name, row.line, "outcome", f"The kind is {row.kind}, and the outcome is missing.")
    else:
        return True
    return False


def check_pair(table: list[SeatRow], report: Report) -> None:
    first, parts = table[0], tuple((row.outcome, row.kind) for row in table)
    if len(table) > 2:  # noqa: PLR2004 - a pair
        report.add(SEATS.name, first.line, "seat", "At a table of PerGioco Masters sit two players, or one with a bye.")
    elif any(row.outcome for row in table) and sign_of(parts) == EMPTY:
        told = " / ".join(f"{outcome or '–'} {kind or '–'}" for outcome, kind in parts)
        report.add(SEATS.name, first.line, "outcome", f"These do not go together at one table: {told}.")


def check_complete(stage: StageRow, table: list[SeatRow], report: Report) -> None:
    """A score, or at tables of two an outcome."""
    two = stage.circuit == Stage.Circuit.PGM
    for row in table:
        if not row.outcome and (two or row.score is None):
            column = "outcome" if two else "score"
            report.add(SEATS.name, row.line, column, "The stage is closed, and this result is missing.")
