"""Recent changes, each with its way back, or the reason why there is none."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.db.models import BinaryField, JSONField, QuerySet
from django.urls import reverse
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.office.models import PrizeList
from pergioco.office.services import undo
from pergioco.office.services.undo import explain_no_undo
from pergioco.players.models import Disqualification, EventCode, Merge, Sanction
from pergioco.players.naming import name_for_staff
from pergioco.publishing.decisions import GRACE
from pergioco.publishing.models import Freeze
from pergioco.stages.models import Revision
from ratings.models import Purge

MOST = 12
RECENT = timedelta(days=14)
LONG = (BinaryField, JSONField)
# Acts that can be taken back on a page of their own, as long as it offers that.
UNDONE_THERE = {
    "stage.close_proposed",
    "stage.round_added",
    "player.merged",
    "disqualification.proposed",
    "disqualification.confirmed",
    "sanction.added",
    "event_code.hall_opened",
    "event_code.made",
    "prizes.announced",
    "purge.proposed",
    "purge.confirmed",
    "season.freeze_proposed",
    "stage.closed",
    "stage.correction_approved",
    "stage.correction_begun",
}
# These on a page of another room, until the same is changed again.
UNDONE_ON = {
    "account.added": "desk-account-remove",
    "account.renamed": "desk-account-rename",
    "brochure.published": "staff-brochure",
    "brochure.taken_down": "staff-brochure",
    "newsletter.held": "desk-newsletter",
    "newsletter.resumed": "desk-newsletter",
    "newsletter.stopped": "desk-newsletter",
}
PAGES = {
    "stages.stage": "desk-stage",
    "office.campaign": "desk-newsletter",
    "big_league.final": "desk-final",
    "big_league.event": "desk-big-event",
    "office.case": "desk-case",
    "office.datarequest": "desk-privacy-one",
    "players.claim": "desk-claim",
}


@dataclass(frozen=True)
class Way:
    address: str
    is_open: bool  # for taking it back


NOWHERE = Way("", is_open=False)


@dataclass(frozen=True)
class Change:
    entry: AuditEntry
    way: Way
    why_not: str  # where it cannot be taken back
    about: str = ""


def recent_changes_for(user: User) -> list[Change]:
    # Staff see all changes and their subjects, others their own. A fixed number of queries.
    rows = AuditEntry.objects.filter(actor__isnull=False, at__gte=timezone.now() - RECENT)
    is_staff = has_role(user, Role.STAFF)
    rows = rows if is_staff else rows.filter(actor=user)
    related = rows.select_related("actor", "player__person", "player__registration")
    last = related.prefetch_related("player__accounts__nicknames").order_by("-at", "-pk")[:MOST]
    listed = list_changes(last)
    return add_names(listed) if is_staff else listed


def add_names(listed: list[Change]) -> list[Change]:
    # The player concerned, or the row as the admin calls it.
    names = find_row_names(change.entry for change in listed if change.entry.player is None)
    return [replace(change, about=describe_subject(change.entry, names)) for change in listed]


def describe_subject(entry: AuditEntry, names: dict[tuple[str, str], str]) -> str:
    if entry.player is not None:
        return name_for_staff(entry.player)
    return names.get((entry.object_type, entry.object_id), "")


def find_row_names(entries: Iterable[AuditEntry]) -> dict[tuple[str, str], str]:
    # One query a kind of row, without its long fields. The log may know kinds that are gone.
    found = {}
    kinds: dict[str, Any] = {model._meta.label_lower: model for model in apps.get_models()}
    for object_type, ids in group_ids(entries).items():
        if object_type not in kinds:
            continue
        model = kinds[object_type]
        long = [field.name for field in model._meta.concrete_fields if isinstance(field, LONG)]
        for row in model.objects.select_related().defer(*long).filter(pk__in=ids):
            found[object_type, str(row.pk)] = str(row)
    return found


def list_changes(rows: Iterable[AuditEntry]) -> list[Change]:
    entries = list(rows)
    there, overtaken = find_rows(entries), undo.find_overtaken(entries, {*undo.ACTS, *UNDONE_ON})
    return [
        make_change(entry, find_way_back(entry, there, overtaken), overtaken) for entry in entries
    ]


def make_change(entry: AuditEntry, way: Way, overtaken: set[int]) -> Change:
    if way.is_open:
        return Change(entry, way, "")
    return Change(
        entry, way, str(undo.OVERTAKEN) if entry.pk in overtaken else explain_no_undo(entry)
    )


def find_way_back(entry: AuditEntry, there: dict[tuple[str, str], Any], overtaken: set[int]) -> Way:
    is_open = undo.can_undo(entry) and entry.pk not in overtaken
    if is_open and entry.action in UNDONE_ON:
        return Way(reverse(UNDONE_ON[entry.action], args=[entry.object_id]), is_open=True)
    if is_open and entry.action in undo.ACTS:
        return Way(reverse("desk-undo", args=[entry.pk]), is_open=True)
    row = there.get((entry.object_type, entry.object_id))
    if row is None:
        return find_page_of_entry(entry)
    way = WAYS[entry.object_type][1](row, entry.action)
    return Way(way.address, way.is_open and entry.action in UNDONE_THERE)


def find_page_of_entry(entry: AuditEntry) -> Way:
    if entry.object_type in PAGES and entry.object_id:
        return Way(reverse(PAGES[entry.object_type], args=[entry.object_id]), is_open=False)
    if entry.player is not None:
        return Way(reverse("desk-person", args=[entry.player.public_id]), is_open=False)
    return NOWHERE


def group_ids(entries: Iterable[AuditEntry]) -> dict[str, set[str]]:
    ids: dict[str, set[str]] = {}
    for entry in entries:
        if entry.object_id:
            ids.setdefault(entry.object_type, set()).add(entry.object_id)
    return ids


def find_rows(entries: Iterable[AuditEntry]) -> dict[tuple[str, str], Any]:
    """The rows that tell whether their entries can be taken back."""
    return {
        (object_type, str(row.pk)): row
        for object_type, ids in group_ids(entries).items()
        if object_type in WAYS
        for row in WAYS[object_type][0]().filter(pk__in=ids)
    }


def merge_way(row: Merge, _action: str) -> Way:
    is_open = row.undone_at is None
    return Way(
        reverse("desk-merge-undo", args=[row.pk]) if is_open else reverse("desk-merges"), is_open
    )


def revision_way(row: Revision, action: str) -> Way:
    if (
        row.state == Revision.State.CURRENT
        and (row.approved_at or row.closed_at or row.made_at) > timezone.now() - GRACE
    ):
        return Way(reverse("desk-withdraw", args=[row.stage_id]), is_open=True)
    state, page = OF_DRAFTS.get(action, (None, "desk-stage"))
    return Way(reverse(page, args=[row.stage_id]), is_open=row.state == state)


# In which state of the revision it can be taken back, and where.
OF_DRAFTS = {
    "stage.correction_begun": (Revision.State.DRAFT, "desk-stage"),
    "stage.close_proposed": (Revision.State.WAITING, "desk-stage"),
    "stage.round_added": (Revision.State.DRAFT, "desk-rounds"),
}


def sanction_way(row: Sanction, _action: str) -> Way:
    return Way(
        reverse("desk-sanction-end", args=[row.pk]), is_open=row.ends_on >= timezone.localdate()
    )


def prizes_way(row: PrizeList, _action: str) -> Way:
    address = reverse("desk-prizes-one", args=[row.season.year, row.ranking])
    return Way(address, is_open=row.state == PrizeList.State.ANNOUNCED)


Rows = Callable[[], QuerySet[Any]]
WAYS: dict[str, tuple[Rows, Callable[[Any, str], Way]]] = {
    "players.merge": (Merge.objects.all, merge_way),
    "players.disqualification": (
        Disqualification.objects.all,
        lambda row, _action: Way(
            reverse("desk-disqualification", args=[row.pk]), is_open=row.withdrawn_at is None
        ),
    ),
    "players.sanction": (Sanction.objects.all, sanction_way),
    "players.eventcode": (
        EventCode.objects.all,
        lambda row, _action: Way(
            reverse("desk-event-code", args=[row.pk]), is_open=row.valid_to > timezone.now()
        ),
    ),
    "stages.revision": (Revision.objects.all, revision_way),
    "publishing.freeze": (
        lambda: Freeze.objects.defer("document").select_related("season"),
        lambda row, _action: Way(
            reverse("desk-year-end", args=[row.season.year]), is_open=row.frozen_at is None
        ),
    ),
    "ratings.purge": (
        Purge.objects.all,
        lambda row, _action: Way(
            reverse("desk-purge", args=[row.year]), is_open=row.destroyed_at is None
        ),
    ),
    "office.prizelist": (lambda: PrizeList.objects.select_related("season"), prizes_way),
}
