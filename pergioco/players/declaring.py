"""A player adds an account from the account page, long after the registration."""

from datetime import date

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.players.accounts import TAKEN, locked
from pergioco.players.claims import last_between
from pergioco.players.models import Claim, Player, Registration, User
from pergioco.players.references import Reference, holder_of
from pergioco.players.refusal import Refused
from pergioco.players.registering import is_unregistered, take


@transaction.atomic
def declare(player: Player, platform: str, reference: Reference, *, by: User, on: date) -> bool:
    """False if an unregistered participant played with it: then the player is asked “is this you?” (PG-4)."""
    player = locked(player)
    holder = holder_of(platform, reference)
    somebody_unregistered = holder is not None and holder.player != player and is_unregistered(holder.player)
    if holder is not None and somebody_unregistered:
        refuse_what_cannot_be_asked(player, holder.player)
    take(player, platform, reference, by=by, on=on)
    return not somebody_unregistered


def refuse_what_cannot_be_asked(player: Player, target: Player) -> None:
    """The question is put once, and only to registered players."""
    claim = last_between(player, target)
    if claim is not None and claim.state == Claim.State.OPEN:
        raise Refused(_("You said that this was you: the staff are looking into it."), "reference")
    answered = claim is not None and claim.state != Claim.State.OFFERED
    if answered or not Registration.objects.filter(player=player).exists():
        raise Refused(TAKEN, "reference")
