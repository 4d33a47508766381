"""Mail that came back: noted when a server refuses it, or by staff who read it in the federation's mailbox."""

from django.db import transaction
from django.utils.translation import gettext as _

from pergioco.contact.models import Bounce
from pergioco.contact.reaching import ADDRESS
from pergioco.players import audit
from pergioco.players.models import Player, User
from pergioco.players.refusal import Refused


def note(player: Player, address: str, *, is_hard: bool = True, by: User | None = None) -> Bounce:
    return Bounce.objects.create(player=player, address=address.lower(), is_hard=is_hard, noted_by=by)


@transaction.atomic
def note_by_hand(addresses: str, *, is_hard: bool, by: User) -> int:
    """One address a line; all of them, or none if one is nobody's."""
    wanted = [line.strip().lower() for line in addresses.splitlines() if line.strip()]
    found = Player.objects.annotate(address=ADDRESS).filter(address__in=wanted).values_list(ADDRESS, "pk")
    players = Player.objects.in_bulk([pk for _address, pk in found])
    known = {address: players[pk] for address, pk in found}
    unknown = [one for one in wanted if one not in known]
    if unknown:
        raise Refused(
            _("Nobody has the address %(address)s: nothing was noted.") % {"address": unknown[0]}, "addresses"
        )
    for one in dict.fromkeys(wanted):
        bounce = note(known[one], one, is_hard=is_hard, by=by)
        audit.record("mail.came_back", bounce, by=by, player=known[one])
    return len(dict.fromkeys(wanted))
