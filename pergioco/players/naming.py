"""How a player is called on a page. Everything public goes through here."""

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from pergioco.players.models import Player, Registration
from pergioco.players.models.people import PlayerQuerySet

UNNAMED = "****"


def public_name(player: Player) -> str:
    """Name and surname of a registered player; stars for an unregistered one; an erased one keeps only a number."""
    if player.erased_at is not None:
        return _("Removed player %(number)s") % {"number": player.public_id}
    return str(player.person) if player.is_named_in_public else UNNAMED


def named_in_public() -> PlayerQuerySet:
    """The same as `Player.is_named_in_public`, for lists. Asked row by row: SQLite would go through a list of all
    registrations for each player."""
    agreed = Registration.objects.counting().filter(publication_allowed=True, player=OuterRef("pk"))
    return Player.objects.current().filter(Exists(agreed), person__isnull=False, erased_at=None)


def name_for_staff(player: Player) -> str:
    """The person's name if there is one on file, else the nicknames under which the player was seen."""
    if player.erased_at is not None:
        return public_name(player)
    if hasattr(player, "person"):
        return str(player.person)
    nicknames = ", ".join(account.nickname for account in player.accounts.all())
    return _("not registered: %(nicknames)s") % {"nicknames": nicknames or player.public_id}
