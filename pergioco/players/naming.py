"""How a player is called on a page. Everything public goes through here."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from pergioco.players.models import Membership, Player, Registration
from pergioco.players.models.people import PlayerQuerySet
from pergioco.players.rules.publication import BIG

UNNAMED = "****"


def public_name(player: Player) -> str:
    """Name and surname of whoever the circuit's pages may name; stars for the others; an erased one keeps a number."""
    if player.erased_at is not None:
        return _("Removed player %(number)s") % {"number": player.public_id}
    return str(player.person) if player.is_named_in_public else UNNAMED


def shown_by(circuit: str, players: Iterable[Player]) -> None:
    """From now on these are named as that circuit's pages name them: for players that came along with other rows."""
    for player in players:
        player.circuit = circuit


def named_in_public(circuit: str = "") -> PlayerQuerySet:
    """The same as `Player.is_named_in_public`, for lists. Asked row by row: SQLite would go through a list of all
    registrations for each player."""
    own = Registration.objects.filter(player=OuterRef("pk"))
    may_be = Q(Exists(own.counting().filter(publication_allowed=True)))
    if circuit == BIG:
        member = Membership.objects.filter(player=OuterRef("pk"))
        may_be |= Q(Exists(member)) & ~Q(Exists(own.taken_back()))
    return Player.objects.current().filter(may_be, person__isnull=False, erased_at=None)


def name_for_staff(player: Player) -> str:
    """The person's name if there is one on file, else the nicknames under which the player was seen."""
    if player.erased_at is not None:
        return public_name(player)
    if hasattr(player, "person"):
        return str(player.person)
    nicknames = ", ".join(account.nickname for account in player.accounts.all())
    return _("not registered: %(nicknames)s") % {"nicknames": nicknames or player.public_id}
