"""Saved exports: asked for, written by a waiting step, ready for seven days, then destroyed."""

from dataclasses import dataclass
from functools import partial
from tempfile import SpooledTemporaryFile

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from pergioco.brochures import choices
from pergioco.brochures.models import Export, is_free
from pergioco.ledger.outbox import promise
from pergioco.players import audit
from pergioco.players.models import User
from pergioco.stages.models import Season

STEP = "exports.write"
IN_MEMORY = 1_000_000  # bytes
State = Export.State


@dataclass(frozen=True)
class What:
    name: str | Promise
    about: str | Promise
    has_year: bool = True
    is_private: bool = False


KINDS: dict[str, What] = {
    "rankings": What(
        _("Rankings of a year"), _("Every ranking as it is published: Red, Blue, Green, the Race, the games, BIG.")
    ),
    "stages": What(
        _("Stages of a year"), _("Calendar, standings and games of every stage, and the orders of the RisiKo! Masters.")
    ),
    "year": What(
        _("A year for the archive"), _("The final rankings, the frozen text, all stages and the rules, for programs.")
    ),
    "tables": What(
        _("Every table of the portal"),
        _("Also people with e-mail addresses and birth dates, consents and the audit log. Nothing secret is in it."),
        has_year=False,
        is_private=True,
    ),
    "federation": What(
        _("The whole federation"),
        _("A bundle from which another portal can be filled. It holds e-mail addresses and birth dates."),
        has_year=False,
        is_private=True,
    ),
}


@transaction.atomic
def ask(what: str, language: str, *, season: Season | None, by: User | None) -> Export:
    """The one that is under way already, or a new one."""
    wanted = {"what": what, "language": language, "season": season if KINDS[what].has_year else None}
    going_on = Export.objects.filter(state__in=[State.WAITING, State.RUNNING], **wanted).first()
    if going_on is not None:
        return going_on
    made = Export.objects.create(by=by, **wanted)
    promise(STEP, not_before=timezone.now(), export=made.pk)
    audit.record("export.asked", made, by=by, changes={"source": ["", what]})
    return made


def write(export: int) -> None:
    """The step. Run twice, it finds the row done."""
    row = begin(export)
    if row is None:
        return
    year = row.season.year if row.season else 0
    with SpooledTemporaryFile(IN_MEMORY) as into, override(row.language):
        rows = choices.writer(row.what)(into, year, partial(tell, row))
        into.seek(0)
        content = into.read()
    mine = Export.objects.filter(pk=row.pk, state=State.RUNNING, began_at=row.began_at)
    if rows:
        mine.update(state=State.DONE, made_at=timezone.now(), rows=rows, content=content)
    else:
        mine.update(state=State.FAILED)


def begin(number: int) -> Export | None:
    now = timezone.now()
    mine = Export.objects.filter(is_free(now), pk=number)
    if not mine.update(state=State.RUNNING, began_at=now, rows={}):
        return None
    return Export.objects.defer("content").select_related("season").get(pk=number)


def tell(row: Export, rows: dict[str, int]) -> None:
    """How far it is, for the page."""
    Export.objects.filter(pk=row.pk, state=State.RUNNING, began_at=row.began_at).update(rows=rows)


@transaction.atomic
def take(row: Export, *, by: User) -> bytes:
    """Who took what away is written down."""
    audit.record("export.taken", row, by=by, changes={"source": ["", row.what]})
    return bytes(row.content or b"")


@transaction.atomic
def throw_away(row: Export, *, by: User) -> None:
    audit.record("export.thrown_away", row, by=by, changes={"source": [row.what, ""]})
    row.delete()


def destroy_old() -> None:
    Export.objects.filter(asked_at__lt=timezone.now() - Export.READY_FOR).delete()


def player_changed(*, player: int, cause: str) -> None:
    """What was written before an erasure still holds the data: it goes with them."""
    if cause == "erased":
        Export.objects.all().delete()
