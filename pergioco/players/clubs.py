"""Clubs, and family or common groups: RisiKo! draws keep their members apart."""

from collections.abc import Iterable

from django.db import transaction

from pergioco.players import audit
from pergioco.players.models import Club, ClubMember, Player, User


@transaction.atomic
def set_clubs(player: Player, clubs: Iterable[Club], *, by: User) -> None:
    """These, and no others. Saying again what is so already leaves no trace."""
    Player.objects.select_for_update().get(pk=player.pk)
    before = {row.club for row in player.clubs.select_related("club")}
    after = set(clubs)
    if before == after:
        return
    player.clubs.filter(club__in=before - after).delete()
    ClubMember.objects.bulk_create(ClubMember(club=club, player=player) for club in after - before)
    changes = {"clubs": [", ".join(sorted(map(str, group))) for group in (before, after)]}
    audit.record("clubs.changed", player, by=by, player=player, changes=changes)
