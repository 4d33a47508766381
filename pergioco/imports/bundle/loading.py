"""Loading a bundle: everything is checked, every problem is told, and then all of it is written or nothing.

Ratings and rankings are computed in the same transaction: at no moment do new results stand beside old numbers.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from django.db import DatabaseError, transaction
from django.utils import timezone

from pergioco.imports.bundle.accounts import write_accounts
from pergioco.imports.bundle.calendar import write_calendar
from pergioco.imports.bundle.checking import check_names
from pergioco.imports.bundle.checking_calendar import check_calendar
from pergioco.imports.bundle.checking_people import check_people
from pergioco.imports.bundle.checking_results import check_results
from pergioco.imports.bundle.comparing import compare
from pergioco.imports.bundle.files import STAGES
from pergioco.imports.bundle.here import Here
from pergioco.imports.bundle.opening import Bundle, Unopenable, look_over
from pergioco.imports.bundle.people import write_people
from pergioco.imports.bundle.problems import Report
from pergioco.imports.bundle.progress import Progress
from pergioco.imports.bundle.reading import Tables, read
from pergioco.imports.bundle.results import write_results
from pergioco.imports.bundle.settling import REASON, Work
from pergioco.ledger import publishing
from pergioco.ledger.bulk import count_rows
from pergioco.ledger.decisions import Decision
from pergioco.ledger.models import Publication
from pergioco.players import audit
from pergioco.players.models import Disqualification
from pergioco.stages.models import OpeningRating, Season, Stage
from ratings.compute import games_with_ratings, recompute_all


def load(path: Path, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
    """A dry run writes too, and takes it back: what it reports is what would be."""
    report, bar = Report(), progress or Progress(None)
    try:
        bundle = Bundle(path)
    except (Unopenable, OSError) as unopenable:
        report.add(path.name, 0, "", str(unopenable))
        return report
    look_over(bundle, report)
    bar.begin("reading", bundle.size())
    tables = read(bundle, report, bar.step)
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
    bar.begin("checking", 4)
    for check in (check_names, check_people, check_calendar):
        check(tables, here, report)
        bar.step(1)
    check_results(tables, report)
    bar.step(1)
    if not report.problems:
        work = Work(tables, here, report)
        write(work, bar)
        if not report.problems:
            compute(work, bar)
            compare(work, bar)


def write(work: Work, bar: Progress) -> None:
    bar.begin("people, calendar", 3)
    for part in (write_people, write_accounts, write_calendar):
        part(work)
        bar.step(1)
        if work.report.problems:
            return
    bar.begin("results", len(work.tables.of(STAGES)))
    write_results(work, bar.step)


def compute(work: Work, bar: Progress) -> None:
    """All of it, whatever was written: rows that the same facts gave before are not written again."""
    decision = remember(work.report)
    count_rows()
    bar.begin("ratings", games_with_ratings().count())
    recompute_all(cause=REASON, each=bar.step)
    seasons = Season.objects.filter(year__lte=timezone.localdate().year).order_by("year")
    bar.begin("rankings", len(seasons))
    before = Publication.objects.count()
    for season in seasons:
        publishing.follow_in(season, cause=REASON, decision=decision)
        bar.step(1)
    work.report.count(Publication.__name__, made=Publication.objects.count() - before)


def remember(report: Report) -> Decision | None:
    """In the audit log. What was said before and is said otherwise now is a correction, and has its errata."""
    if not report.written:
        return None
    changes = {kind: ["", "+{} ~{} −{}".format(*counts)] for kind, counts in report.written.items()}
    entry = audit.record("bundle.loaded", Stage(), by=None, changes=changes, reason=REASON)
    return Decision(REASON, f"log {entry.pk}", entry.at) if corrects(report.written) else None


def corrects(written: Mapping[str, Sequence[int]]) -> bool:
    """Stages that are new are no correction, no more than the closing of one."""
    about_known = (Disqualification.__name__, OpeningRating.__name__)
    return any(changed or removed or kind in about_known for kind, (_made, changed, removed) in written.items())
