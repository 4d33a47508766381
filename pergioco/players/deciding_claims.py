"""Staff answer “that was me” (PG-4): the claimed past goes to the claimant, or the claim is refused with an answer."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.players import audit, letters, merging
from pergioco.players.models import Claim, User
from pergioco.players.refusal import Refused

State = Claim.State


@transaction.atomic
def approve(claim: Claim, *, by: User) -> Claim:
    """The claimant stays. Approving what is approved changes nothing."""
    claim = undecided(claim, State.APPROVED)
    if claim.state == State.OPEN:
        merging.merge(claim.player, claim.target, by=by, reason=_("Claim %(number)s") % {"number": claim.pk})
        decide(claim, State.APPROVED, by=by)
    return claim


@transaction.atomic
def refuse(claim: Claim, *, by: User, answer: str) -> Claim:
    claim = undecided(claim, State.REFUSED)
    if claim.state == State.OPEN:
        decide(claim, State.REFUSED, by=by, answer=answer)
    return claim


def undecided(claim: Claim, wanted: str) -> Claim:
    """The claim as it is now, locked: open, or already decided the same way."""
    claim = Claim.objects.select_for_update(of=("self",)).select_related("player", "target").get(pk=claim.pk)
    if claim.state not in {State.OPEN, wanted}:
        raise Refused(_("This claim was already decided: %(state)s.") % {"state": claim.get_state_display()})
    return claim


def decide(claim: Claim, state: str, *, by: User, answer: str = "") -> None:
    claim.state, claim.answer, claim.decided_by, claim.decided_at = state, answer, by, timezone.now()
    claim.save(update_fields=["state", "answer", "decided_by", "decided_at"])
    changes = {"state": [str(State.OPEN), str(state)]}
    audit.record(f"claim.{state}", claim, by=by, player=claim.player, changes=changes, reason=answer)
    letters.write_to(claim.player, f"claim_{state}", answer=answer)
