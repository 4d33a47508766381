"""What was done last, each with the way back where there is one, and with its page where there is none."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from pergioco.ledger.decisions import GRACE
from pergioco.ledger.models import Freeze
from pergioco.office.models import PrizeList
from pergioco.players.models import AuditEntry, Disqualification, EventCode, Merge, Sanction, User
from pergioco.players.policy import Role, has_role
from pergioco.stages.models import Revision
from ratings.models import Purge

MOST = 12
RECENT = timedelta(days=14)
# Acts that can be taken back on a page of the desk, as long as it offers that.
UNDONE_THERE = {
    "player.merged",
    "disqualification.proposed",
    "disqualification.confirmed",
    "sanction.added",
    "event_code.made",
    "prizes.announced",
    "purge.proposed",
    "purge.confirmed",
    "season.freeze_proposed",
    "stage.closed",
    "stage.correction_approved",
    "stage.correction_begun",
}
PAGES = {
    "stages.stage": "desk-stage",
    "big_league.event": "desk-big-event",
    "office.case": "desk-case",
    "office.datarequest": "desk-privacy-one",
    "players.claim": "desk-claim",
    "players.platformaccount": "desk-account",
}


@dataclass(frozen=True)
class Way:
    address: str
    is_open: bool  # for taking it back


@dataclass(frozen=True)
class Change:
    entry: AuditEntry
    address: str
    may_undo: bool


def changes_of(user: User) -> list[Change]:
    """Staff see what anybody did, the others what they did themselves. As many queries for ten as for one."""
    rows = AuditEntry.objects.filter(actor__isnull=False, at__gte=timezone.now() - RECENT)
    if not has_role(user, Role.STAFF):
        rows = rows.filter(actor=user)
    entries = list(rows.select_related("actor", "player").order_by("-at", "-pk")[:MOST])
    ways = ways_of(entries)
    return [change_of(entry, ways.get((entry.object_type, entry.object_id))) for entry in entries]


def change_of(entry: AuditEntry, way: Way | None) -> Change:
    if way is not None:
        return Change(entry, way.address, way.is_open and entry.action in UNDONE_THERE)
    if entry.object_type in PAGES and entry.object_id:
        return Change(entry, reverse(PAGES[entry.object_type], args=[entry.object_id]), may_undo=False)
    player = entry.player
    return Change(entry, reverse("desk-person", args=[player.public_id]) if player else "", may_undo=False)


def ways_of(entries: Iterable[AuditEntry]) -> dict[tuple[str, str], Way]:
    ids: dict[str, set[str]] = {}
    for entry in entries:
        if entry.object_type in WAYS and entry.object_id:
            ids.setdefault(entry.object_type, set()).add(entry.object_id)
    found: dict[tuple[str, str], Way] = {}
    for object_type, own in ids.items():
        rows, way = WAYS[object_type]
        found |= {(object_type, str(row.pk)): way(row) for row in rows().filter(pk__in=own)}
    return found


def of_merge(row: Merge) -> Way:
    is_open = row.undone_at is None
    return Way(reverse("desk-merge-undo", args=[row.pk]) if is_open else reverse("desk-merges"), is_open)


def of_revision(row: Revision) -> Way:
    if (
        row.state == Revision.State.CURRENT
        and (row.approved_at or row.closed_at or row.made_at) > timezone.now() - GRACE
    ):
        return Way(reverse("desk-withdraw", args=[row.stage_id]), is_open=True)
    is_draft = row.state == Revision.State.DRAFT
    return Way(reverse("desk-stage", args=[row.stage_id]), is_open=is_draft)


def of_prizes(row: PrizeList) -> Way:
    address = reverse("desk-prizes-one", args=[row.season.year, row.ranking])
    return Way(address, is_open=row.state == PrizeList.State.ANNOUNCED)


Rows = Callable[[], QuerySet[Any]]
WAYS: dict[str, tuple[Rows, Callable[[Any], Way]]] = {
    "players.merge": (Merge.objects.all, of_merge),
    "players.disqualification": (
        Disqualification.objects.all,
        lambda row: Way(reverse("desk-disqualification", args=[row.pk]), is_open=row.withdrawn_at is None),
    ),
    "players.sanction": (
        Sanction.objects.all,
        lambda row: Way(reverse("desk-sanction-end", args=[row.pk]), is_open=row.ends_on >= timezone.localdate()),
    ),
    "players.eventcode": (
        EventCode.objects.all,
        lambda row: Way(reverse("desk-event-code", args=[row.pk]), is_open=row.valid_to > timezone.now()),
    ),
    "stages.revision": (Revision.objects.all, of_revision),
    "ledger.freeze": (
        lambda: Freeze.objects.defer("document").select_related("season"),
        lambda row: Way(reverse("desk-year-end", args=[row.season.year]), is_open=row.frozen_at is None),
    ),
    "ratings.purge": (
        Purge.objects.all,
        lambda row: Way(reverse("desk-purge", args=[row.year]), is_open=row.destroyed_at is None),
    ),
    "office.prizelist": (lambda: PrizeList.objects.select_related("season"), of_prizes),
}
