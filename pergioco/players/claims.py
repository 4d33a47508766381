"""“Is this you?”: the player's answer. What becomes of a yes is for staff to decide."""

from django.db import transaction
from django.utils import timezone

from pergioco.players import audit
from pergioco.players.models import Claim, Player, User

State = Claim.State
UNDECIDED = (State.OFFERED, State.DECLINED, State.OPEN)
ACTIONS: dict[str, str] = {State.OPEN: "made", State.DECLINED: "declined"}


@transaction.atomic
def make(player: Player, target: Player, *, by: User) -> Claim:
    """“Yes, that was me.” Saying it again changes nothing, nor does it reopen what staff decided."""
    return answer(player, target, State.OPEN, by=by)


@transaction.atomic
def decline(player: Player, target: Player, *, by: User) -> Claim:
    """“No, somebody else”: never asked again. It also takes back a yes on which nobody has decided."""
    return answer(player, target, State.DECLINED, by=by)


def last_between(player: Player, target: Player) -> Claim | None:
    return Claim.objects.filter(player=player, target=target).order_by("-pk").first()


def answer(player: Player, target: Player, state: str, *, by: User) -> Claim:
    Player.objects.select_for_update().get(pk=player.pk)
    claim = last_between(player, target)
    before = claim.state if claim else ""
    if claim is not None and (claim.state == state or claim.state not in UNDECIDED):
        return claim
    if claim is None:
        claim = Claim(player=player, target=target)
    claim.state, claim.made_at = state, timezone.now()
    claim.save()
    audit.record(f"claim.{ACTIONS[state]}", claim, by=by, player=player, changes={"state": [before, str(state)]})
    return claim
