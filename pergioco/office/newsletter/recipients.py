"""Reachable players and subscribers, bounces, and the signed links that end mail."""

from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.db.models import CharField, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Lower
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.addresses import absolute_url
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.core.signed_links import LinkSigner
from pergioco.office.models import Bounce, MailKey, Subscription
from pergioco.players.models import Consent, Player
from pergioco.players.services.consents import Kind, Way, has_given_consent, record_consent

# The address of the login, or the one on file without a login
ADDRESS = Lower(Coalesce("person__user__email", "person__contact_email"))
LANGUAGE = Coalesce(
    "person__user__language", Value(settings.LANGUAGE_CODE), output_field=CharField()
)


class Reader(NamedTuple):
    """Address and language of a recipient."""

    address: str
    language: str


def find_reader(among: QuerySet[Player], pk: int) -> Reader | None:
    found = among.filter(pk=pk).values_list(ADDRESS, LANGUAGE).first()
    return Reader(*found) if found else None


def reachable_players() -> QuerySet[Player]:
    """Annotated with `address`, in lower case."""
    confirmed = EmailAddress.objects.filter(
        user=OuterRef("person__user"), verified=True, email__iexact=OuterRef("person__user__email")
    )
    with_login = Q(person__user__is_active=True) & Exists(confirmed)
    without = Q(person__user=None, person__contact_email__gt="")
    rows = Player.objects.current().filter(with_login | without, erased_at=None)
    hard = Bounce.objects.filter(
        player=OuterRef("pk"), is_hard=True, address=OuterRef("address")
    ).order_by()
    counted = hard.values("player").annotate(n=Count("pk")).values("n")
    return (
        rows.annotate(address=ADDRESS)
        .annotate(bounced=Coalesce(Subquery(counted), 0))
        .filter(bounced__lt=Bounce.MOST_HARD)
    )


def subscribers() -> QuerySet[Player]:
    """Players whose latest newsletter consent is yes."""
    said = Consent.objects.filter(player=OuterRef("pk"), kind=Consent.Kind.NEWSLETTER).order_by(
        "-at", "-id"
    )
    return (
        reachable_players().annotate(agrees=Subquery(said.values("given")[:1])).filter(agrees=True)
    )


def count_subscribers_by_language() -> dict[str, int]:
    counted = subscribers().order_by().values_list(LANGUAGE).annotate(n=Count("pk"))
    return {code: 0 for code, _name in settings.LANGUAGES} | dict(counted)


def note_bounce(
    player: Player, address: str, *, is_hard: bool = True, by: User | None = None
) -> Bounce:
    return Bounce.objects.create(
        player=player, address=address.lower(), is_hard=is_hard, noted_by=by
    )


@transaction.atomic
def note_bounces_by_hand(addresses: str, *, is_hard: bool, by: User) -> int:
    """One address a line; all are noted, or none if one is unknown."""
    wanted = [line.strip().lower() for line in addresses.splitlines() if line.strip()]
    found = (
        Player.objects.annotate(address=ADDRESS)
        .filter(address__in=wanted)
        .values_list(ADDRESS, "pk")
    )
    players = Player.objects.in_bulk([pk for _address, pk in found])
    known = {address: players[pk] for address, pk in found}
    unknown = [one for one in wanted if one not in known]
    if unknown:
        raise Refused(
            _("Nobody has the address %(address)s: nothing was noted.") % {"address": unknown[0]},
            "addresses",
        )
    for one in dict.fromkeys(wanted):
        bounce = note_bounce(known[one], one, is_hard=is_hard, by=by)
        audit.record("mail.came_back", bounce, by=by, player=known[one])
    return len(dict.fromkeys(wanted))


NEWSLETTER = "newsletter"
PURPOSES = frozenset({NEWSLETTER, *Subscription.Kind.values})
LASTS = timedelta(days=400)
signer = LinkSigner("pergioco.contact.unsubscribing", lasts=LASTS)


@dataclass(frozen=True)
class UnsubscribeLink:
    player: Player
    purposes: tuple[str, ...]

    @property
    def kinds(self) -> list[str]:
        return [purpose for purpose in self.purposes if purpose != NEWSLETTER]


def make_unsubscribe_token(player: Player, *purposes: str) -> str:
    key, _new = MailKey.objects.get_or_create(player=player)
    return signer.sign("-".join([key.key, *purposes]))


def make_unsubscribe_link(player: Player, *purposes: str) -> str:
    """The whole address, in the active language."""
    return absolute_url(reverse("unsubscribe", args=[make_unsubscribe_token(player, *purposes)]))


def unsubscribe_headers(link: str) -> dict[str, str]:
    """RFC 8058: the reader's mail program ends it by one click, with a POST."""
    return {"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def read_unsubscribe_link(token: str) -> UnsubscribeLink | None:
    text = signer.read(token)
    if text is None:
        return None
    key, *purposes = text.split("-")
    row = MailKey.objects.select_related("player__merged_into").filter(key=key).first()
    if row is None or not purposes or not PURPOSES.issuperset(purposes):
        return None
    return UnsubscribeLink(row.player.merged_into or row.player, tuple(purposes))


@transaction.atomic
def end_subscriptions(link: UnsubscribeLink) -> None:
    """Idempotent. Ends only what the mail was about."""
    if NEWSLETTER in link.purposes and has_given_consent(link.player, Kind.NEWSLETTER):
        language = get_language() or settings.LANGUAGE_CODE
        record_consent(
            link.player, Kind.NEWSLETTER, given=False, language=language, way=Way.LINK, by=None
        )
    rows = Subscription.objects.filter(player=link.player, kind__in=link.kinds)
    for row in rows:
        audit.record("notices.ended", row, by=None, role=audit.BY_LINK, player=link.player)
    rows.delete()
