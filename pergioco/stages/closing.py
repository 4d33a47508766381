"""Closing a stage, correcting it, the second person who approves, and taking all that back."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.players import afterwards, audit
from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import facts
from pergioco.stages.drafting import State, lock, next_number
from pergioco.stages.models import Revision, Stage
from pergioco.stages.rules import checking
from pergioco.stages.rules.results import sign_of

TWO_PLAYER_SYSTEMS = {Stage.Circuit.PGM}


def check(revision: Revision) -> list[checking.Finding]:
    return checking.findings(stage_facts(revision))


def stage_facts(revision: Revision) -> checking.StageFacts:
    stage = revision.stage
    entries = list(stage.entries.values_list("player_id", "withdrew_after_round"))
    is_two_player = stage.circuit in TWO_PLAYER_SYSTEMS
    tables = tuple(
        checking.TableFacts(
            round_.number,
            table.number,
            tuple(seat.player for seat in table.seats),
            sign_of(tuple((seat.outcome, seat.kind) for seat in table.seats)),
            all(seat.outcome or (seat.score is not None and not is_two_player) for seat in table.seats),
        )
        for round_ in facts.read(revision)
        for table in round_.tables
    )
    return checking.StageFacts(
        entered=frozenset(player for player, _after in entries),
        tables=tables,
        withdrew_after={player: after for player, after in entries if after is not None},
        capacity=stage.capacity,
        is_two_player=is_two_player,
        is_swiss=stage.system == Stage.System.SWISS,
    )


def needs_approval(revision: Revision) -> bool:
    """A change of a Race stage or of a final that was closed already is confirmed by another person."""
    stage = revision.stage
    return (stage.race or stage.final) and stage.revisions.filter(state=State.CURRENT).exists()


@transaction.atomic
def close(stage: Stage, *, by: User, revision: int, sha256: str) -> Revision:
    """`revision` and `sha256` are what the person saw and checked: anything else in the draft is refused (409)."""
    stage = lock(stage)
    draft = stage.revisions.select_for_update().filter(pk=revision).first()
    if draft is None or draft.state != State.DRAFT or facts.sha256(facts.read(draft)) != sha256:
        raise Outdated(_("The draft changed while you were reading. Check it again, then close."))
    if not checking.may_close(check(draft)):
        raise Refused(_("These results cannot be closed yet: see what is missing."))
    done: dict[str, Any] = {"closed_at": timezone.now(), "closed_by": by, "sha256": sha256}
    if needs_approval(draft):
        Revision.objects.filter(pk=draft.pk).update(state=State.WAITING, **done)
        audit.record("stage.close_proposed", draft, by=by, reason=draft.reason)
    else:
        audit.record("stage.closed", draft, by=by, reason=draft.reason)
        put_in_force(stage, draft, **done)
    return Revision.objects.get(pk=draft.pk)


@transaction.atomic
def approve(revision: Revision, *, by: User) -> Revision:
    """The second person: not the one who closed the correction."""
    stage = lock(revision.stage)
    waiting = stage.revisions.filter(pk=revision.pk, state=State.WAITING).first()
    if waiting is None:
        raise Outdated(_("This correction is not waiting any more."))
    if waiting.closed_by_id == by.pk:
        raise Refused(_("You proposed this correction. Another person has to approve it."))
    audit.record("stage.correction_approved", waiting, by=by, reason=waiting.reason)
    put_in_force(stage, waiting, approved_at=timezone.now(), approved_by=by)
    return Revision.objects.get(pk=waiting.pk)


@transaction.atomic
def send_back(revision: Revision, *, by: User, reason: str) -> Revision:
    """The second person does not agree: it is a draft again, with the reason in the log."""
    stage = lock(revision.stage)
    changed = stage.revisions.filter(pk=revision.pk, state=State.WAITING).update(
        state=State.DRAFT, closed_at=None, closed_by=None, sha256=""
    )
    if not changed:
        raise Outdated(_("This correction is not waiting any more."))
    audit.record("stage.correction_sent_back", revision, by=by, reason=reason)
    return Revision.objects.get(pk=revision.pk)


@transaction.atomic
def drop_correction(revision: Revision, *, by: User) -> None:
    """Gives a correction up; the current revision stays as it is."""
    stage = lock(revision.stage)
    if not stage.revisions.filter(state=State.CURRENT).exists():
        raise Refused(_("This is the stage's first draft: there is nothing to fall back on."))
    Revision.objects.filter(pk=revision.pk, state__in=[State.DRAFT, State.WAITING]).update(state=State.DROPPED)
    audit.record("stage.correction_dropped", revision, by=by)


def put_in_force(stage: Stage, revision: Revision, **done: Any) -> None:
    """The one before it is superseded; `done` says who closed or approved it, and when."""
    stage.revisions.filter(state=State.CURRENT).update(state=State.SUPERSEDED)
    Revision.objects.filter(pk=revision.pk).update(state=State.CURRENT, **done)
    settle(stage)


@transaction.atomic
def reopen(stage: Stage, *, revision: int, by: User) -> Revision:
    """Takes a closing or a correction back: what was in force before is so again, and the results are a draft.

    Nothing is edited: the draft is a copy, and the revision that was in force is kept as dropped.
    """
    stage = lock(stage)
    current = stage.revisions.filter(pk=revision, state=State.CURRENT).first()
    if current is None:
        raise Outdated(_("These results are not in force any more: look at the stage as it is now."))
    if stage.revisions.filter(state__in=[State.DRAFT, State.WAITING]).exists():
        raise Refused(_("A correction of this stage is under way. Give it up first, then withdraw."))
    stage.revisions.filter(pk=current.pk).update(state=State.DROPPED)
    before = stage.revisions.filter(state=State.SUPERSEDED).order_by("-number").first()
    if before is not None:
        stage.revisions.filter(pk=before.pk).update(state=State.CURRENT)
    draft = copied(current, by=by)
    changes = {"revision": [str(current.number), str(draft.number)]}
    audit.record("stage.reopened", current, by=by, reason=current.reason, changes=changes)
    settle(stage, cause="withdrawn")
    return draft


def copied(revision: Revision, *, by: User) -> Revision:
    """A draft that says the same; what was typed a second time counts for it too."""
    stage = revision.stage
    draft = Revision.objects.create(
        stage=stage,
        number=next_number(stage),
        made_by=by,
        reason=revision.reason,
        verified_sha256=revision.verified_sha256,
    )
    facts.write(draft, facts.read(revision))
    return draft


def settle(stage: Stage, *, cause: str = "") -> None:
    """The stage's own state follows its revisions; what is computed from them follows the stage."""
    states = set(stage.revisions.values_list("state", flat=True))
    if State.CURRENT not in states:
        status = Stage.Status.OPEN
    else:
        status = Stage.Status.CORRECTED if State.SUPERSEDED in states else Stage.Status.CLOSED
    Stage.objects.filter(pk=stage.pk).update(status=status)
    afterwards.tell("stage.settled", stage=stage.pk, cause=cause or status.value)
