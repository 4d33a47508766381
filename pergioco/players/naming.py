"""The name of a player on a page. All public pages go through here."""

from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from pergioco.players.listed import ListedPlayer
from pergioco.players.models import Membership, Player, Registration
from pergioco.players.models.people import PlayerQuerySet
from pergioco.players.rules.people import BIG, PGM, name_is_public_in_big

UNNAMED = "****"
AnyPlayer = Player | ListedPlayer


def is_named(player: AnyPlayer, circuit: str) -> bool:
    if player.has_public_page or circuit != BIG:
        return player.has_public_page
    return player.has_person and name_is_public_in_big(player.standing, is_member=player.is_member)


class NameOnPage(NamedTuple):
    text: str
    is_public: bool
    has_page: bool


def name_on_page(player: AnyPlayer, circuit: str) -> NameOnPage:
    """First name and surname if the circuit's pages may show them, else stars. Erased players keep
    a number."""
    if player.erased_at is not None:
        return NameOnPage(name_of_removed(player), is_public=False, has_page=False)
    if player.has_public_page:
        return NameOnPage(str(player.person), is_public=True, has_page=True)
    if is_named(player, circuit):
        return NameOnPage(str(player.person), is_public=True, has_page=False)
    return NameOnPage(UNNAMED, is_public=False, has_page=False)


def public_name(player: AnyPlayer, circuit: str) -> str:
    return name_on_page(player, circuit).text


def name_of_removed(player: AnyPlayer) -> str:
    return _("Removed player %(number)s") % {"number": player.public_id}


def named_in_public(circuit: str = PGM) -> PlayerQuerySet:
    # `is_named` as a filter. EXISTS, because SQLite scans an IN list of all registrations for each
    # player.
    own = Registration.objects.filter(player=OuterRef("pk"))
    may_be = Q(Exists(own.counting().filter(publication_allowed=True)))
    if circuit == BIG:
        member = Membership.objects.filter(player=OuterRef("pk"))
        may_be |= Q(Exists(member)) & ~Q(Exists(own.taken_back()))
    return Player.objects.current().filter(may_be, person__isnull=False, erased_at=None)


def name_for_staff(player: Player) -> str:
    """The person's name if known, else the nicknames used in results."""
    if player.erased_at is not None:
        return name_of_removed(player)
    if hasattr(player, "person"):
        return str(player.person)
    nicknames = ", ".join(account.nickname for account in player.accounts.all())
    return _("not registered: %(nicknames)s") % {"nicknames": nicknames or player.public_id}
