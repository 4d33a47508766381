"""Signed links for those without a login: to a request, to one's own sign-up. They open pages; only a form changes."""

from datetime import timedelta

from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils import timezone

from big_league.events.models import Event, SignUp
from pergioco.players.letters import home

LASTS = timedelta(days=90)  # from the start of the event on
# The key in the database alone is not enough, nor is the site's secret.
signer = Signer(sep=".", salt="big_league.events.requests")
signup_signer = Signer(sep=".", salt="big_league.events.signups")


def token(event: Event) -> str:
    return signer.sign(event.key)


def link_of(event: Event) -> str:
    """Whole: it goes into a mail, whose language is active then."""
    return home() + reverse("big-request-state", args=[token(event)])


def event_behind(token: str) -> Event | None:
    try:
        key = signer.unsign(token)
    except BadSignature:
        return None
    still = Event.objects.filter(starts_at__gt=timezone.now() - LASTS)
    return still.select_related("stage__game", "stage__season").filter(key=key).first()


def signup_token(signup: SignUp) -> str:
    return signup_signer.sign(signup.key)


def link_of_signup(signup: SignUp) -> str:
    return home() + reverse("big-signup", args=[signup_token(signup)])


def signup_behind(token: str) -> SignUp | None:
    try:
        key = signup_signer.unsign(token)
    except BadSignature:
        return None
    rows = SignUp.objects.select_related("event__stage__game", "event__stage__season", "player__person")
    return rows.filter(key=key).first()
