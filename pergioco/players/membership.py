"""Membership of Board Italian Gamers: free, and it never expires (BIG 2)."""

from django.db import transaction
from django.utils import timezone

from pergioco.players import afterwards, audit
from pergioco.players.models import Membership, Player, User


@transaction.atomic
def join_big(player: Player, *, by: User) -> Membership:
    """Joining again changes nothing."""
    membership, is_new = Membership.objects.get_or_create(player=player, defaults={"member_on": timezone.localdate()})
    if is_new:
        audit.record("membership.joined", membership, by=by, player=player)
        afterwards.tell("player.changed", player=player.pk, cause="joined")
    return membership
