"""Saved exports: requested, written by a job, destroyed after seven days."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from tempfile import SpooledTemporaryFile

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from pergioco.core import audit, jobs
from pergioco.core.models import User
from pergioco.office.brochures import registry
from pergioco.office.models import Export
from pergioco.office.models.brochures import GOING_ON
from pergioco.stages.models import Season

WRITE = jobs.declare("exports.write")
IN_MEMORY = 1_000_000  # bytes


@dataclass(frozen=True)
class ExportKind:
    name: str | Promise
    about: str | Promise
    has_year: bool = True
    is_private: bool = False


KINDS: dict[str, ExportKind] = {
    "rankings": ExportKind(
        _("Rankings of a year"),
        _("Every ranking as it is published: Red, Blue, Green, the Race, the games, BIG."),
    ),
    "stages": ExportKind(
        _("Stages of a year"),
        _("Calendar, standings and games of every stage, and the orders of the RisiKo! Masters."),
    ),
    "year": ExportKind(
        _("A year for the archive"),
        _("The final rankings, the frozen text, all stages and the rules, for programs."),
    ),
    "tables": ExportKind(
        _("Every table of the portal"),
        _(
            "Also people with e-mail addresses and birth dates, consents and the audit log. "
            "Nothing secret is in it."
        ),
        has_year=False,
        is_private=True,
    ),
    "federation": ExportKind(
        _("The whole federation"),
        _(
            "A bundle from which another portal can be filled. It holds e-mail addresses and birth "
            "dates."
        ),
        has_year=False,
        is_private=True,
    ),
}


@transaction.atomic
def request_export(what: str, language: str, *, season: Season | None, by: User | None) -> Export:
    """Returns the export under way, or a new one."""
    wanted = {
        "what": what,
        "language": language,
        "season": season if KINDS[what].has_year else None,
    }
    going_on = Export.objects.filter(GOING_ON, **wanted).first()
    if going_on is not None:
        return going_on
    made = Export.objects.create(by=by, **wanted)
    made.enqueue(WRITE, export=made.pk)
    audit.record("export.asked", made, by=by, changes={"source": ["", what]})
    return made


def write_export(export: int) -> Callable[[], object] | None:
    """The job. No rows mean that there was nothing to write."""
    row = (
        Export.objects.defer("content")
        .select_related("season")
        .filter(pk=export, made_at=None)
        .first()
    )
    if row is None:
        return None
    year = row.season.year if row.season else 0
    with SpooledTemporaryFile(IN_MEMORY) as into, override(row.language):
        rows = registry.get_writer(row.what)(into, year, partial(report_export_rows, row))
        into.seek(0)
        content = into.read()
    mine = Export.objects.filter(pk=row.pk)
    return (
        partial(mine.update, made_at=timezone.now(), rows=rows, content=content) if rows else None
    )


def report_export_rows(row: Export, rows: dict[str, int]) -> None:
    # Progress for the page.
    jobs.report_progress(sum(rows.values()))
    Export.objects.filter(pk=row.pk).update(rows=rows)


@transaction.atomic
def take_export(row: Export, *, by: User) -> bytes:
    # The audit log records each download.
    audit.record("export.taken", row, by=by, changes={"source": ["", row.what]})
    return bytes(row.content or b"")


@transaction.atomic
def delete_export(row: Export, *, by: User) -> None:
    audit.record("export.thrown_away", row, by=by, changes={"source": [row.what, ""]})
    row.delete()


def delete_old_exports() -> None:
    Export.objects.filter(asked_at__lt=timezone.now() - Export.READY_FOR).delete()


def delete_exports_after_erasure(*, player: int, cause: str) -> None:
    # Exports written before an erasure still hold the data.
    if cause == "erased":
        Export.objects.all().delete()
