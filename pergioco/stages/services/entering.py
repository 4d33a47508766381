"""Types results into a draft: saves each cell, detects conflicts, undoes, compares a second
typing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.database import lock_pk
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.stages import facts
from pergioco.stages.facts import read_sign
from pergioco.stages.models import Change, Revision, Seat, Table
from pergioco.stages.rules import results
from pergioco.stages.rules.results import EMPTY, sign_typed

RESULT = "result"


class Contradicts(Refused):
    """A known submission arrived with different content: nothing was written (422)."""


@dataclass(frozen=True)
class TypedResult:
    """One cell as sent; `version` is the one that the sender saw."""

    table: int
    sign: str
    version: int
    submission: UUID


def set_result(typed: TypedResult, *, by: User) -> Table:
    """Saves one cell once, even if sent twice. A conflicting edit by another user is refused
    (409)."""
    try:
        with transaction.atomic():
            return write_result(typed, by=by)
    except IntegrityError:
        return check_repeated_result(typed)


def write_result(typed: TypedResult, *, by: User) -> Table:
    table = lock_draft_table(typed.table)
    if Change.objects.filter(submission=typed.submission).exists():
        return check_repeated_result(typed)
    seats = list(table.seats.all())
    if results.parts_of_sign(typed.sign, len(seats)) is None:
        raise Refused(
            _("“%(sign)s” is not a result of this table.") % {"sign": typed.sign},
            "sign",
            rule="entering.write_result",
        )
    before = read_sign(seats)
    change = Change(
        submission=typed.submission,
        what=RESULT,
        before={"sign": before, "seats": [[seat.outcome, seat.kind] for seat in seats]},
        after={"sign": typed.sign},
        by=by,
    )
    save_change(change, table, typed.version)
    write_sign(seats, typed.sign)
    return table_with_seats(table.pk)


def check_repeated_result(typed: TypedResult) -> Table:
    change = Change.objects.filter(submission=typed.submission).first()
    if change is None or change.table_id != typed.table or change.after.get("sign") != typed.sign:
        raise Contradicts(
            _("This was sent before with another result. Reload the page and type it again."),
            rule="entering.check_repeated_result",
        )
    return table_with_seats(typed.table)


def lock_draft_table(table: int) -> Table:
    """Locks the draft until the end of the transaction: closing needs the same row."""
    found = Table.objects.select_related("round").filter(pk=table).first()
    if found is None:
        raise Outdated(_("This table is no longer in the draft."), rule="entering.lock_draft_table")
    found.round.revision = lock_draft(found.round.revision_id)
    return found


def lock_draft(pk: int) -> Revision:
    revision = lock_pk(Revision, pk)
    guard_draft(revision)
    return revision


def guard_draft(revision: Revision) -> None:
    if revision.state == Revision.State.DROPPED:
        raise Outdated(
            _(
                "This draft was replaced in the meantime. Reload the page: the new one stands "
                "there."
            ),
            rule="entering.guard_draft",
        )
    if revision.state != Revision.State.DRAFT:
        raise Refused(
            _("These results are closed. To change them, begin a correction."),
            rule="entering.guard_draft",
        )


def advance_version(table: Table, version: int) -> bool:
    # A single conditional UPDATE decides between two users on every database.
    return bool(Table.objects.filter(pk=table.pk, version=version).update(version=F("version") + 1))


def save_change(change: Change, table: Table, version: int) -> None:
    """Refused if the table no longer has that version."""
    if not advance_version(table, version):
        raise Outdated(
            _("Somebody else changed this table in the meantime."), rule="entering.save_change"
        )
    change.table, change.revision = table, table.round.revision
    change.save()


def write_sign(seats: list[Seat], sign: str) -> None:
    write_parts(seats, results.parts_of_sign(sign, len(seats)) or ())


def write_parts(seats: list[Seat], parts: Iterable[Iterable[str]]) -> None:
    for seat, (outcome, kind) in zip(seats, parts, strict=True):
        seat.outcome, seat.kind = outcome, kind
    Seat.objects.bulk_update(seats, ["outcome", "kind"])


def table_with_seats(pk: int) -> Table:
    return Table.objects.prefetch_related("seats__player").get(pk=pk)


@transaction.atomic
def undo_change(revision: Revision, *, by: User, change: int | None = None) -> Change | None:
    """Undoes the latest change, or returns None.

    `change` names the expected one, so that a repeated request undoes it once.
    """
    lock_draft(revision.pk)
    latest = latest_change(revision)
    if latest is None or change not in {None, latest.pk}:
        return None
    return write_step(latest, latest.before, undone=True, by=by)


@transaction.atomic
def redo_change(revision: Revision, *, by: User, change: int | None = None) -> Change | None:
    """Redoes the earliest change undone since the last one in effect."""
    lock_draft(revision.pk)
    undone = earliest_undone(revision)
    if undone is None or change not in {None, undone.pk}:
        return None
    return write_step(undone, undone.after, undone=False, by=by)


def latest_change(revision: Revision) -> Change | None:
    return revision.changes.filter(undone=False).select_related("table").order_by("-id").first()


def earliest_undone(revision: Revision) -> Change | None:
    last = revision.changes.filter(undone=False).aggregate(last=Max("id"))["last"] or 0
    return (
        revision.changes.filter(undone=True, id__gt=last)
        .select_related("table")
        .order_by("id")
        .first()
    )


def write_step(change: Change, state: dict[str, Any], *, undone: bool, by: User) -> Change:
    write_state(change, state)
    change.undone, change.by, change.at = undone, by, timezone.now()
    change.save(update_fields=["undone", "by", "at"])
    return change


def write_state(change: Change, state: dict[str, Any]) -> None:
    table = change.table
    if table is None:
        raise Refused(
            _("The table of this change is no longer there."), rule="entering.write_state"
        )
    seats = list(table.seats.all())
    if "scores" in state:
        facts.write_scores(table, state["scores"])
    elif "seats" in state:
        write_parts(seats, state["seats"])
    else:
        write_sign(seats, state["sign"])
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)


def wants_second_pass(draft: Revision) -> bool:
    # Only typed results of Race stages and finals: imported ones are compared with their file.
    stage = draft.stage
    return (stage.race or stage.final) and Table.objects.filter(
        round__revision=draft, source=None
    ).exists()


def has_second_pass(draft: Revision) -> bool:
    # Any later change of a result requires another pass.
    return draft.verified_sha256 == facts.hash_rounds(facts.read_rounds(draft))


@transaction.atomic
def compare_second_pass(draft: Revision, typed: Mapping[int, str], *, by: User) -> dict[int, str]:
    """Returns the draft's sign of each table that differs; without differences the draft is
    verified."""
    lock_draft(draft.pk)
    signs = read_signs(draft)
    differences = {
        table: sign for table, sign in signs.items() if sign_typed(typed.get(table, EMPTY)) != sign
    }
    if signs and not differences:
        Revision.objects.filter(pk=draft.pk).update(
            verified_sha256=facts.hash_rounds(facts.read_rounds(draft))
        )
        audit.record("stage.verified", draft, by=by)
    return differences


def read_signs(draft: Revision) -> dict[int, str]:
    tables = Table.objects.filter(round__revision=draft).prefetch_related("seats")
    return {
        table.pk: read_sign(sorted(table.seats.all(), key=attrgetter("position")))
        for table in tables
    }
