"""The signed link that ends mail: good for one player and for what its mail was about, without signing in."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction
from django.urls import reverse
from django.utils.translation import get_language

from pergioco.contact.models import MailKey, Subscription
from pergioco.players import audit
from pergioco.players.consenting import Kind, Way, has_given, record_consent
from pergioco.players.models import Player

NEWSLETTER = "newsletter"
PURPOSES = frozenset({NEWSLETTER, *Subscription.Kind.values})
LASTS = timedelta(days=400)
# The key in the database alone is not enough, nor is the site's secret.
signer = TimestampSigner(sep=".", salt="pergioco.contact.unsubscribing")


@dataclass(frozen=True)
class Link:
    player: Player
    purposes: tuple[str, ...]

    @property
    def kinds(self) -> list[str]:
        return [purpose for purpose in self.purposes if purpose != NEWSLETTER]


def token(player: Player, *purposes: str) -> str:
    key, _new = MailKey.objects.get_or_create(player=player)
    return signer.sign("-".join([key.key, *purposes]))


def address(player: Player, *purposes: str) -> str:
    """Whole, in the language that is active."""
    return settings.PUBLIC_URL.geturl().rstrip("/") + reverse("unsubscribe", args=[token(player, *purposes)])


def headers(link: str) -> dict[str, str]:
    """RFC 8058: the reader's mail program ends it by one click, with a POST."""
    return {"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def behind(token: str) -> Link | None:
    try:
        key, *purposes = signer.unsign(token, max_age=LASTS).split("-")
    except BadSignature:
        return None
    row = MailKey.objects.select_related("player__merged_into").filter(key=key).first()
    if row is None or not purposes or not PURPOSES.issuperset(purposes):
        return None
    return Link(row.player.merged_into or row.player, tuple(purposes))


@transaction.atomic
def end(link: Link) -> None:
    """What the mail was about, and nothing else. A second time changes nothing."""
    if NEWSLETTER in link.purposes and has_given(link.player, Kind.NEWSLETTER):
        language = get_language() or settings.LANGUAGE_CODE
        record_consent(link.player, Kind.NEWSLETTER, given=False, language=language, way=Way.LINK, by=None)
    rows = Subscription.objects.filter(player=link.player, kind__in=link.kinds)
    for row in rows:
        audit.record("notices.ended", row, by=None, role=audit.BY_LINK, player=link.player)
    rows.delete()
