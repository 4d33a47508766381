"""Typing results into a draft: each cell saved at once, nothing lost between two people, undo without limit."""

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import scores
from pergioco.stages.models import Change, Revision, Seat, Table
from pergioco.stages.rules import results

RESULT = "result"


class Contradicts(Refused):
    """The same submission came before with another content: nothing was written (422)."""


@dataclass(frozen=True)
class Typed:
    """One cell, as it was sent: the version is the one that the sender was looking at."""

    table: int
    sign: str
    version: int
    submission: UUID


def set_result(typed: Typed, *, by: User) -> Table:
    """Saves one cell. Sent twice, it is written once; typed over somebody else's, it is refused with both texts."""
    try:
        with transaction.atomic():
            return write_result(typed, by=by)
    except IntegrityError:
        return already_written(typed)


def write_result(typed: Typed, *, by: User) -> Table:
    table = lock(typed.table)
    if Change.objects.filter(submission=typed.submission).exists():
        return already_written(typed)
    seats = list(table.seats.all())
    if results.parts_of(typed.sign, len(seats)) is None:
        raise Refused(_("“%(sign)s” is not a result of this table.") % {"sign": typed.sign}, "sign")
    before = sign_at(seats)
    if not advance(table, typed.version):
        raise Outdated(_("Somebody else changed this table in the meantime."))
    Change.objects.create(
        revision=table.round.revision,
        submission=typed.submission,
        table=table,
        what=RESULT,
        before={"sign": before, "seats": [[seat.outcome, seat.kind] for seat in seats]},
        after={"sign": typed.sign},
        by=by,
    )
    put(seats, typed.sign)
    return table_with_seats(table.pk)


def already_written(typed: Typed) -> Table:
    change = Change.objects.filter(submission=typed.submission).first()
    if change is None or change.table_id != typed.table or change.after.get("sign") != typed.sign:
        raise Contradicts(_("This was sent before with another result. Reload the page and type it again."))
    return table_with_seats(typed.table)


def lock(table: int) -> Table:
    """The table of a draft, which stays a draft until the end of the transaction: closing waits for the same row."""
    found = Table.objects.select_related("round").filter(pk=table).first()
    if found is None:
        raise Outdated(_("This table is no longer in the draft."))
    found.round.revision = locked_draft(found.round.revision_id)
    return found


def locked_draft(pk: int) -> Revision:
    revision = Revision.objects.select_for_update().get(pk=pk)
    guard_draft(revision)
    return revision


def guard_draft(revision: Revision) -> None:
    if revision.state == Revision.State.DROPPED:
        raise Outdated(_("This draft was replaced in the meantime. Reload the page: the new one stands there."))
    if revision.state != Revision.State.DRAFT:
        raise Refused(_("These results are closed. To change them, begin a correction."))


def advance(table: Table, version: int) -> bool:
    """One conditional UPDATE decides between two people, on every database."""
    return bool(Table.objects.filter(pk=table.pk, version=version).update(version=F("version") + 1))


def put(seats: list[Seat], sign: str) -> None:
    parts = results.parts_of(sign, len(seats)) or ()
    for seat, (outcome, kind) in zip(seats, parts, strict=True):
        seat.outcome, seat.kind = outcome, kind
    Seat.objects.bulk_update(seats, ["outcome", "kind"])


def sign_at(seats: list[Seat]) -> str:
    return results.sign_of(tuple((seat.outcome, seat.kind) for seat in seats))


def table_with_seats(pk: int) -> Table:
    return Table.objects.prefetch_related("seats__player").get(pk=pk)


@transaction.atomic
def undo(revision: Revision, *, by: User, change: int | None = None) -> Change | None:
    """Takes the latest change back; None if there is nothing to take back. `change` names the one that is meant:
    sent twice, it is taken back once."""
    locked_draft(revision.pk)
    latest = latest_change(revision)
    if latest is None or change not in {None, latest.pk}:
        return None
    return step(latest, latest.before, undone=True, by=by)


@transaction.atomic
def redo(revision: Revision, *, by: User, change: int | None = None) -> Change | None:
    """Writes the earliest change taken back since the last one that stands."""
    locked_draft(revision.pk)
    undone = earliest_undone(revision)
    if undone is None or change not in {None, undone.pk}:
        return None
    return step(undone, undone.after, undone=False, by=by)


def latest_change(revision: Revision) -> Change | None:
    return revision.changes.filter(undone=False).select_related("table").order_by("-id").first()


def earliest_undone(revision: Revision) -> Change | None:
    last = revision.changes.filter(undone=False).aggregate(last=Max("id"))["last"] or 0
    return revision.changes.filter(undone=True, id__gt=last).select_related("table").order_by("id").first()


def step(change: Change, state: dict[str, object], *, undone: bool, by: User) -> Change:
    apply(change, state)
    change.undone, change.by, change.at = undone, by, timezone.now()
    change.save(update_fields=["undone", "by", "at"])
    return change


def apply(change: Change, state: dict[str, object]) -> None:
    table = change.table
    if table is None:
        raise Refused(_("The table of this change is no longer there."))
    seats = list(table.seats.all())
    if "scores" in state:
        scores.put(table, list(state["scores"]))  # type: ignore[call-overload]
    elif "seats" in state:
        for seat, (outcome, kind) in zip(seats, list(state["seats"]), strict=True):  # type: ignore[call-overload]
            seat.outcome, seat.kind = outcome, kind
        Seat.objects.bulk_update(seats, ["outcome", "kind"])
    else:
        put(seats, str(state["sign"]))
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)
