"""What the office does with a case. Two people at once: the first one's act stands, the second one hears of it."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.office.cases.asking import tell
from pergioco.office.models import Case
from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import drafting
from pergioco.stages.models import Stage

State = Case.State
CHANGED_MEANWHILE = gettext_lazy("Somebody else did something here in the meantime. Look at it as it is now.")


def locked(case: Case, version: int) -> Case:
    """The row as it is now, if it is still what its reader was looking at."""
    row = Case.objects.select_for_update().get(pk=case.pk)
    if row.version != version:
        raise Outdated(CHANGED_MEANWHILE)
    return row


def move(case: Case, state: Case.State, action: str, *, by: User | None, **changed: object) -> Case:
    before, case.state = case.state, state
    for name, value in changed.items():
        setattr(case, name, value)
    case.handled_by, case.version = by or case.handled_by, case.version + 1
    case.save()
    audit.record(action, case, by=by, changes={"state": [before, state]})
    return case


@transaction.atomic
def take(case: Case, *, by: User, version: int) -> Case:
    """Somebody looks at it: whoever wrote sees that on the page of the link."""
    case = locked(case, version)
    if case.state != State.RECEIVED:
        raise Outdated(CHANGED_MEANWHILE)
    return move(case, State.LOOKED_AT, "case.taken", by=by)


@transaction.atomic
def answer(case: Case, *, by: User, version: int, answer: str, finding: str = "") -> Case:
    """By mail, and on the page of the link. An answer may be followed by a better one, until the case is closed."""
    case = locked(case, version)
    if case.state == State.CLOSED:
        raise Outdated(CHANGED_MEANWHILE)
    words = {"answer": answer.strip(), "finding": finding.strip()}
    case = move(case, State.ANSWERED, "case.answered", by=by, answered_at=timezone.now(), **words)
    tell(case, "case_answered")
    return case


@transaction.atomic
def close(case: Case, *, by: User | None, version: int) -> Case:
    case = locked(case, version)
    if case.state != State.ANSWERED:
        raise Refused(_("Answer it first: nobody is left without an answer."))
    return move(case, State.CLOSED, "case.closed", by=by, closed_at=timezone.now())


@transaction.atomic
def begin_correction(case: Case, stage: Stage, *, by: User, version: int, reason: str) -> Case:
    """Of the stage that the complaint turned out to be about. Once it is closed, its erratum names the complaint."""
    case = locked(case, version)
    if case.revision_id is not None:
        raise Refused(_("A correction came of this complaint already."))
    draft = drafting.begin_correction(stage, by=by, reason=reason)
    state = State.LOOKED_AT if case.is_waiting else State(case.state)
    return move(case, state, "case.correction_begun", by=by, revision=draft)
