"""Membership of Board Italian Gamers (BIG 2: free, never expires), and of clubs."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from pergioco.core import audit, events
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.players.models import Club, ClubMember, Membership, Player


@transaction.atomic
def join_big(player: Player, *, by: User) -> Membership:
    membership, is_new = Membership.objects.get_or_create(
        player=player, defaults={"member_on": timezone.localdate()}
    )
    if is_new:
        audit.record("membership.joined", membership, by=by, player=player)
        events.emit("player.changed", player=player.pk, cause="joined")
    return membership


@transaction.atomic
def set_clubs(player: Player, clubs: Iterable[Club], *, by: User) -> None:
    """Replaces the player's clubs. Without a change, no audit row."""
    lock_row(player)
    before = {row.club for row in player.clubs.select_related("club")}
    after = set(clubs)
    if before == after:
        return
    player.clubs.filter(club__in=before - after).delete()
    ClubMember.objects.bulk_create(ClubMember(club=club, player=player) for club in after - before)
    words = [", ".join(sorted(map(str, group))) for group in (before, after)]
    ids = [{"clubs": sorted(club.pk for club in group)} for group in (before, after)]
    audit.record(
        "clubs.changed",
        player,
        by=by,
        player=player,
        changes={"clubs": words},
        before=ids[0],
        after=ids[1],
    )
