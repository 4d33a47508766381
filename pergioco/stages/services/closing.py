"""Closes, corrects, approves and reopens a stage."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit, events
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.core.two_person import refuse_same_person
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage
from pergioco.stages.rules import checking
from pergioco.stages.services.drafting import State, next_revision_number

TWO_PLAYER_SYSTEMS = {Stage.Circuit.PGM}


def check_revision(revision: Revision) -> list[checking.Finding]:
    return checking.check_stage(read_checked_stage(revision))


def read_checked_stage(revision: Revision) -> checking.CheckedStage:
    stage = revision.stage
    entries = list(stage.entries.values_list("player_id", "withdrew_after_round"))
    is_two_player = stage.circuit in TWO_PLAYER_SYSTEMS
    tables = tuple(
        checking.CheckedTable(
            round_.number,
            table.number,
            tuple(seat.player for seat in table.seats),
            facts.read_sign(table.seats),
            all(
                seat.outcome or (seat.score is not None and not is_two_player)
                for seat in table.seats
            ),
        )
        for round_ in facts.read_rounds(revision)
        for table in round_.tables
    )
    return checking.CheckedStage(
        entered=frozenset(player for player, _after in entries),
        tables=tables,
        withdrew_after={player: after for player, after in entries if after is not None},
        capacity=stage.capacity,
        is_two_player=is_two_player,
        is_swiss=stage.system == Stage.System.SWISS,
    )


def needs_approval(revision: Revision) -> bool:
    # A second person confirms changes of a Race stage or final that was closed before.
    stage = revision.stage
    return (stage.race or stage.final) and stage.revisions.filter(state=State.CURRENT).exists()


@transaction.atomic
def close_stage(stage: Stage, *, by: User, revision: int, sha256: str) -> Revision:
    """Closes the draft that the person checked, identified by `revision` and `sha256`; any other is
    refused (409)."""
    stage = lock_row(stage)
    draft = stage.revisions.select_for_update().filter(pk=revision).first()
    if (
        draft is None
        or draft.state != State.DRAFT
        or facts.hash_rounds(facts.read_rounds(draft)) != sha256
    ):
        raise Outdated(
            _("The draft changed while you were reading. Check it again, then close."),
            rule="closing.close_stage",
        )
    if not checking.may_close(check_revision(draft)):
        raise Refused(
            _("These results cannot be closed yet: see what is missing."),
            rule="closing.close_stage",
        )
    done: dict[str, Any] = {"closed_at": timezone.now(), "closed_by": by, "sha256": sha256}
    if needs_approval(draft):
        Revision.objects.filter(pk=draft.pk).update(state=State.WAITING, **done)
        audit.record("stage.close_proposed", draft, by=by, reason=draft.reason)
    else:
        audit.record("stage.closed", draft, by=by, reason=draft.reason)
        put_revision_in_force(stage, draft, **done)
    return Revision.objects.get(pk=draft.pk)


@transaction.atomic
def approve_correction(revision: Revision, *, by: User) -> Revision:
    stage = lock_row(revision.stage)
    waiting = stage.revisions.filter(pk=revision.pk, state=State.WAITING).first()
    if waiting is None:
        raise Outdated(
            _("This correction is not waiting any more."), rule="closing.approve_correction"
        )
    refuse_same_person(
        waiting.closed_by_id,
        by,
        _("You proposed this correction. Another person has to approve it."),
        rule="closing.approve_correction",
    )
    audit.record("stage.correction_approved", waiting, by=by, reason=waiting.reason)
    put_revision_in_force(stage, waiting, approved_at=timezone.now(), approved_by=by)
    return Revision.objects.get(pk=waiting.pk)


@transaction.atomic
def send_back_correction(revision: Revision, *, by: User, reason: str) -> Revision:
    # The correction becomes a draft again; the log keeps the reason.
    stage = lock_row(revision.stage)
    changed = stage.revisions.filter(pk=revision.pk, state=State.WAITING).update(
        state=State.DRAFT, closed_at=None, closed_by=None, sha256=""
    )
    if not changed:
        raise Outdated(
            _("This correction is not waiting any more."), rule="closing.send_back_correction"
        )
    audit.record("stage.correction_sent_back", revision, by=by, reason=reason)
    return Revision.objects.get(pk=revision.pk)


@transaction.atomic
def drop_correction(revision: Revision, *, by: User) -> None:
    stage = lock_row(revision.stage)
    if not stage.revisions.filter(state=State.CURRENT).exists():
        raise Refused(
            _("This is the stage's first draft: there is nothing to fall back on."),
            rule="closing.drop_correction",
        )
    Revision.objects.filter(pk=revision.pk, state__in=[State.DRAFT, State.WAITING]).update(
        state=State.DROPPED
    )
    audit.record("stage.correction_dropped", revision, by=by)


def put_revision_in_force(stage: Stage, revision: Revision, **done: Any) -> None:
    """`done` sets who closed or approved the revision, and when."""
    stage.revisions.filter(state=State.CURRENT).update(state=State.SUPERSEDED)
    Revision.objects.filter(pk=revision.pk).update(state=State.CURRENT, **done)
    settle_stage(stage)


@transaction.atomic
def reopen_stage(stage: Stage, *, revision: int, by: User) -> Revision:
    """Takes back a closing or correction: the previous revision is in force again, and the results
    become a draft.

    The draft is a copy; the revision that was in force is kept as dropped."""
    stage = lock_row(stage)
    current = stage.revisions.filter(pk=revision, state=State.CURRENT).first()
    if current is None:
        raise Outdated(
            _("These results are not in force any more: look at the stage as it is now."),
            rule="closing.reopen_stage",
        )
    if stage.revisions.filter(state__in=[State.DRAFT, State.WAITING]).exists():
        raise Refused(
            _("A correction of this stage is under way. Give it up first, then withdraw."),
            rule="closing.reopen_stage",
        )
    stage.revisions.filter(pk=current.pk).update(state=State.DROPPED)
    before = stage.revisions.filter(state=State.SUPERSEDED).order_by("-number").first()
    if before is not None:
        stage.revisions.filter(pk=before.pk).update(state=State.CURRENT)
    draft = copy_as_draft(current, by=by)
    changes = {"revision": [str(current.number), str(draft.number)]}
    audit.record("stage.reopened", current, by=by, reason=current.reason, changes=changes)
    settle_stage(stage, cause="withdrawn")
    return draft


def copy_as_draft(revision: Revision, *, by: User) -> Revision:
    # The results are the same, so a second typing remains valid.
    stage = revision.stage
    draft = Revision.objects.create(
        stage=stage,
        number=next_revision_number(stage),
        made_by=by,
        reason=revision.reason,
        verified_sha256=revision.verified_sha256,
    )
    facts.write_rounds(draft, facts.read_rounds(revision))
    return draft


def settle_stage(stage: Stage, *, cause: str = "") -> None:
    states = set(stage.revisions.values_list("state", flat=True))
    if State.CURRENT not in states:
        status = Stage.Status.OPEN
    else:
        status = Stage.Status.CORRECTED if State.SUPERSEDED in states else Stage.Status.CLOSED
    Stage.objects.filter(pk=stage.pk).update(status=status)
    events.emit("stage.settled", stage=stage.pk, cause=cause or status.value)
