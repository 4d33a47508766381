"""A player's own address for calendar apps: nobody guesses it, and the player can take it back."""

from django.core.signing import BadSignature, Signer
from django.db import transaction

from pergioco.players import audit
from pergioco.players.models import CalendarLink, Player, User

# The key in the database alone is not enough, nor is the site's secret.
signer = Signer(sep=".", salt="pergioco.players.calendar_links")


@transaction.atomic
def make(player: Player, *, by: User) -> CalendarLink:
    """A new one; the one before it, if any, leads nowhere from now on."""
    CalendarLink.objects.filter(player=player).delete()
    link = CalendarLink.objects.create(player=player)
    audit.record("calendar_link.made", link, by=by, player=player)
    return link


@transaction.atomic
def take_back(player: Player, *, by: User) -> None:
    for link in CalendarLink.objects.filter(player=player):
        audit.record("calendar_link.taken_back", link, by=by, player=player)
        link.delete()


def token(link: CalendarLink) -> str:
    return signer.sign(link.key)


def player_behind(token: str) -> Player | None:
    try:
        key = signer.unsign(token)
    except BadSignature:
        return None
    link = CalendarLink.objects.select_related("player__merged_into").filter(key=key).first()
    return (link.player.merged_into or link.player) if link else None
