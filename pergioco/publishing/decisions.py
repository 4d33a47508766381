"""The decision behind a publication: closing, correction, disqualification, merge, or their
reversal."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.players.models import Disqualification, Merge
from pergioco.stages.models import DateChange, Revision, Stage

# How long a publication may be withdrawn; mail about it waits as long.
GRACE = timedelta(minutes=30)


@dataclass(frozen=True)
class Decision:
    """`key` names the row that records it. `reason` holds only text written for the public."""

    key: str
    at: datetime
    revision: Revision | None = None
    reason: str = ""
    decided_by: User | None = None
    approved_by: User | None = None
    cause: str = ""

    @property
    def by(self) -> User | None:
        return self.approved_by or self.decided_by

    @property
    def corrects(self) -> bool:
        # A first closing adds results; everything else changes published ones.
        return self.cause != "closed"


def find_decision(cause: str, *, revision: int = 0, player: int = 0) -> Decision | None:
    found = None
    if cause in REVISION_CAUSES:
        rows = Revision.objects.select_related("stage", "closed_by", "approved_by")
        row = rows.filter(pk=revision).first()
        found = REVISION_CAUSES[cause](row) if row else None
    elif cause in PLAYER_CAUSES:
        found = PLAYER_CAUSES[cause](player)
    return replace(found, cause=cause) if found else None


def decided_by_closing(revision: Revision) -> Decision | None:
    at = revision.approved_at or revision.closed_at
    if at is None:
        return None
    return Decision(
        f"revision {revision.pk}",
        at,
        revision,
        revision.reason,
        revision.closed_by,
        revision.approved_by,
    )


def decided_by_move(revision: Revision) -> Decision | None:
    # New days, or another game, season or Race flag; one save may change both.
    days = DateChange.objects.filter(stage=revision.stage_id).select_related("by").first()
    entry = latest_entry("stage.changed_after_closing", revision.stage)
    found = []
    if days:
        key = f"move {days.pk}"
        found.append(Decision(key, days.at, revision, days.reason, days.by))
    if entry:
        key = f"log {entry.pk}"
        found.append(Decision(key, entry.at, revision, entry.reason, entry.actor))
    return max(found, key=lambda one: one.at, default=None)


def decided_by_withdrawal(revision: Revision) -> Decision | None:
    entry = latest_entry("stage.reopened", revision)
    if entry is None:
        return None
    return Decision(f"log {entry.pk}", entry.at, revision, decided_by=entry.actor)


def decided_by_disqualification(player: int) -> Decision | None:
    rows = Disqualification.objects.filter(
        player=player, confirmed_at__isnull=False, withdrawn_at=None
    )
    row = rows.select_related("proposed_by", "confirmed_by").order_by("confirmed_at").last()
    if row is None or row.confirmed_at is None:
        return None
    key = f"disqualification {row.pk}"
    return Decision(key, row.confirmed_at, decided_by=row.proposed_by, approved_by=row.confirmed_by)


def decided_by_lifted_disqualification(player: int) -> Decision | None:
    rows = Disqualification.objects.filter(
        player=player, confirmed_at__isnull=False, withdrawn_at__isnull=False
    )
    row = rows.order_by("withdrawn_at").last()
    if row is None or row.withdrawn_at is None:
        return None
    entry = latest_entry("disqualification.withdrawn", row)
    key = f"disqualification {row.pk} withdrawn"
    return Decision(key, row.withdrawn_at, decided_by=entry.actor if entry else None)


def decided_by_merge(player: int) -> Decision | None:
    row = Merge.objects.filter(absorbed=player, undone_at=None).select_related("done_by").first()
    return Decision(f"merge {row.pk}", row.done_at, decided_by=row.done_by) if row else None


def decided_by_unmerge(player: int) -> Decision | None:
    # The job runs for both players, but the decision is one.
    rows = Merge.objects.filter(undone_at__isnull=False).select_related("undone_by")
    row = (rows.filter(absorbed=player) | rows.filter(kept=player)).order_by("undone_at").last()
    if row is None or row.undone_at is None:
        return None
    return Decision(f"merge {row.pk} undone", row.undone_at, decided_by=row.undone_by)


REVISION_CAUSES: dict[str, Callable[[Revision], Decision | None]] = {
    "closed": decided_by_closing,
    "corrected": decided_by_closing,
    "moved": decided_by_move,
    "withdrawn": decided_by_withdrawal,
}
PLAYER_CAUSES: dict[str, Callable[[int], Decision | None]] = {
    "disqualified": decided_by_disqualification,
    "disqualification_withdrawn": decided_by_lifted_disqualification,
    "merged": decided_by_merge,
    "unmerged": decided_by_unmerge,
}


def revision_behind(stage: Stage, cause: str) -> Revision | None:
    """Returns the revision in force; for a withdrawal, the one that was withdrawn."""
    if cause != "withdrawn":
        return stage.revisions.filter(state=Revision.State.CURRENT).first()
    rows = {str(row.pk): row for row in stage.revisions.filter(state=Revision.State.DROPPED)}
    entries = AuditEntry.objects.filter(
        action="stage.reopened", object_type="stages.revision", object_id__in=rows
    )
    entry = entries.first()
    return rows[entry.object_id] if entry else None


def latest_entry(action: str, about: Stage | Revision | Disqualification) -> AuditEntry | None:
    rows = AuditEntry.objects.filter(
        action=action, object_type=about._meta.label_lower, object_id=str(about.pk)
    )
    return rows.select_related("actor").first()
