"""A player's own address for calendar apps: secret, and revocable."""

from django.db import transaction

from pergioco.core import audit
from pergioco.core.models import User
from pergioco.core.signed_links import LinkSigner
from pergioco.players.models import CalendarLink, Player

signer = LinkSigner("pergioco.players.calendar_links")


@transaction.atomic
def make_calendar_link(player: Player, *, by: User) -> CalendarLink:
    # The address before this one stops working.
    CalendarLink.objects.filter(player=player).delete()
    link = CalendarLink.objects.create(player=player)
    audit.record("calendar_link.made", link, by=by, player=player)
    return link


@transaction.atomic
def delete_calendar_link(player: Player, *, by: User) -> None:
    for link in CalendarLink.objects.filter(player=player):
        audit.record("calendar_link.taken_back", link, by=by, player=player)
        link.delete()


def sign_calendar_link(link: CalendarLink) -> str:
    return signer.sign(link.key)


def find_player_by_calendar_token(token: str) -> Player | None:
    link = signer.find_row(token, CalendarLink.objects.select_related("player__merged_into"))
    return (link.player.merged_into or link.player) if link else None
