"""Who decided what a publication follows: closings, corrections, disqualifications, merges, and what undoes them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pergioco.players.models import AuditEntry, Disqualification, Merge, User
from pergioco.stages.models import DateChange, Revision, Stage

# A publication may be withdrawn for so long, and mail about it waits for so long.
GRACE = timedelta(minutes=30)


@dataclass(frozen=True)
class Decision:
    """`key` names the row in which it stands. `reason` holds only words that were written for everybody to read."""

    cause: str
    key: str
    at: datetime
    revision: Revision | None = None
    reason: str = ""
    decided_by: User | None = None
    approved_by: User | None = None

    @property
    def by(self) -> User | None:
        """The last hand that was laid on it."""
        return self.approved_by or self.decided_by

    @property
    def corrects(self) -> bool:
        """Whether it changes what was said before; a first closing adds to it."""
        return self.cause != "closed"


def find(cause: str, *, revision: int = 0, player: int = 0) -> Decision | None:
    """The latest of its kind; None for what nobody decided: a registration, a new year."""
    if cause in OF_A_REVISION:
        row = Revision.objects.select_related("stage", "closed_by", "approved_by").filter(pk=revision).first()
        return OF_A_REVISION[cause](row, cause) if row else None
    return OF_A_PLAYER[cause](player, cause) if cause in OF_A_PLAYER else None


def put_in_force(revision: Revision, cause: str) -> Decision | None:
    at = revision.approved_at or revision.closed_at
    if at is None:
        return None
    return Decision(
        cause, f"revision {revision.pk}", at, revision, revision.reason, revision.closed_by, revision.approved_by
    )


def moved(revision: Revision, cause: str) -> Decision | None:
    """To other days, or under another game, season or sign; one save may do both."""
    days = DateChange.objects.filter(stage=revision.stage_id).select_related("by").first()
    entry = latest_entry("stage.changed_after_closing", revision.stage)
    found = [
        *([Decision(cause, f"move {days.pk}", days.at, revision, days.reason, days.by)] if days else []),
        *([Decision(cause, f"log {entry.pk}", entry.at, revision, entry.reason, entry.actor)] if entry else []),
    ]
    return max(found, key=lambda one: one.at, default=None)


def withdrawn(revision: Revision, cause: str) -> Decision | None:
    entry = latest_entry("stage.reopened", revision)
    if entry is None:
        return None
    return Decision(cause, f"log {entry.pk}", entry.at, revision, decided_by=entry.actor)


def disqualified(player: int, cause: str) -> Decision | None:
    rows = Disqualification.objects.filter(player=player, confirmed_at__isnull=False, withdrawn_at=None)
    row = rows.select_related("proposed_by", "confirmed_by").order_by("confirmed_at").last()
    if row is None or row.confirmed_at is None:
        return None
    key = f"disqualification {row.pk}"
    return Decision(cause, key, row.confirmed_at, decided_by=row.proposed_by, approved_by=row.confirmed_by)


def disqualification_withdrawn(player: int, cause: str) -> Decision | None:
    rows = Disqualification.objects.filter(player=player, confirmed_at__isnull=False, withdrawn_at__isnull=False)
    row = rows.order_by("withdrawn_at").last()
    if row is None or row.withdrawn_at is None:
        return None
    entry = latest_entry("disqualification.withdrawn", row)
    key = f"disqualification {row.pk} withdrawn"
    return Decision(cause, key, row.withdrawn_at, decided_by=entry.actor if entry else None)


def merged(player: int, cause: str) -> Decision | None:
    row = Merge.objects.filter(absorbed=player, undone_at=None).select_related("done_by").first()
    return Decision(cause, f"merge {row.pk}", row.done_at, decided_by=row.done_by) if row else None


def unmerged(player: int, cause: str) -> Decision | None:
    """Both players are told of; the decision is one."""
    rows = Merge.objects.filter(undone_at__isnull=False).select_related("undone_by")
    row = (rows.filter(absorbed=player) | rows.filter(kept=player)).order_by("undone_at").last()
    if row is None or row.undone_at is None:
        return None
    return Decision(cause, f"merge {row.pk} undone", row.undone_at, decided_by=row.undone_by)


OF_A_REVISION: dict[str, Callable[[Revision, str], Decision | None]] = {
    "closed": put_in_force,
    "corrected": put_in_force,
    "moved": moved,
    "withdrawn": withdrawn,
}
OF_A_PLAYER: dict[str, Callable[[int, str], Decision | None]] = {
    "disqualified": disqualified,
    "disqualification_withdrawn": disqualification_withdrawn,
    "merged": merged,
    "unmerged": unmerged,
}


def revision_behind(stage: Stage, cause: str) -> Revision | None:
    """Of what is in force now; a withdrawal is about the revision that no longer is."""
    if cause != "withdrawn":
        return stage.revisions.filter(state=Revision.State.CURRENT).first()
    rows = {str(row.pk): row for row in stage.revisions.filter(state=Revision.State.DROPPED)}
    entries = AuditEntry.objects.filter(action="stage.reopened", object_type="stages.revision", object_id__in=rows)
    entry = entries.first()
    return rows[entry.object_id] if entry else None


def latest_entry(action: str, about: Stage | Revision | Disqualification) -> AuditEntry | None:
    rows = AuditEntry.objects.filter(action=action, object_type=about._meta.label_lower, object_id=str(about.pk))
    return rows.select_related("actor").first()
