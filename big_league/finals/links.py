"""The signed link of a convocation: it says whose it is. Opening it changes nothing; only its form does."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from big_league.finals.models import Final
from pergioco.players.models import Player

# The key in the database alone is not enough, nor is the site's secret; and no other link of ours opens this page.
signer = Signer(sep=".", salt="big_league.finals.convocation")


def token(final: Final, player: Player) -> str:
    return signer.sign(f"{final.key}-{player.public_id}")


def link_of(final: Final, player: Player) -> str:
    """Whole: it goes into a mail, whose language is active then."""
    return settings.PUBLIC_URL.geturl().rstrip("/") + reverse("convocation", args=[token(final, player)])


def behind(token: str) -> tuple[Final, Player] | None:
    """The final, and the player as who he is known now if that was called; it may be over."""
    try:
        key, _dash, public_id = signer.unsign(token).partition("-")
    except BadSignature:
        return None
    final = Final.objects.select_related("stage__game", "stage__season").filter(key=key).first()
    player = Player.objects.with_names().filter(public_id=public_id, erased_at=None).first()
    return (final, player) if final is not None and player is not None else None
