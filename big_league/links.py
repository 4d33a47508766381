"""Signed links for people without a login; opening one changes nothing, only its form does."""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from big_league.models import Event, Final, SignUp
from pergioco.core.addresses import absolute_url
from pergioco.core.signed_links import LinkSigner
from pergioco.players.models import Player

LINK_LASTS = timedelta(days=90)  # from the start of the event on
request_signer = LinkSigner("big_league.events.requests")
signup_signer = LinkSigner("big_league.events.signups")


def request_token(event: Event) -> str:
    return request_signer.sign(event.key)


def request_link(event: Event) -> str:
    """An absolute address for a mail, in the active language."""
    return absolute_url(reverse("big-request-state", args=[request_token(event)]))


def find_event(token: str) -> Event | None:
    still = Event.objects.filter(starts_at__gt=timezone.now() - LINK_LASTS)
    return request_signer.find_row(token, still.select_related("stage__game", "stage__season"))


def signup_token(signup: SignUp) -> str:
    return signup_signer.sign(signup.key)


def signup_link(signup: SignUp) -> str:
    return absolute_url(reverse("big-signup", args=[signup_token(signup)]))


def find_signup(token: str) -> SignUp | None:
    rows = SignUp.objects.select_related(
        "event__stage__game", "event__stage__season", "player__person"
    )
    return signup_signer.find_row(token, rows)


convocation_signer = LinkSigner("big_league.finals.convocation")


def convocation_token(final: Final, player: Player) -> str:
    return convocation_signer.sign(f"{final.key}-{player.public_id}")


def convocation_link(final: Final, player: Player) -> str:
    """An absolute address for a mail, in the active language."""
    return absolute_url(reverse("convocation", args=[convocation_token(final, player)]))


def find_convocation(token: str) -> tuple[Final, Player] | None:
    # A merged player keeps the link: the row of the call still has the old id.
    text = convocation_signer.read(token)
    if text is None:
        return None
    key, _dash, public_id = text.partition("-")
    final = Final.objects.select_related("stage__game", "stage__season").filter(key=key).first()
    player = Player.objects.with_names().filter(public_id=public_id, erased_at=None).first()
    return (final, player) if final is not None and player is not None else None
