"""People who want to be written to, and newsletters to write to them."""

from datetime import timedelta
from typing import Any

from pergioco.contact.models import Campaign
from pergioco.contact.newsletter import sending, writing
from pergioco.contact.newsletter.writing import FIELDS
from pergioco.players.models import Consent, Player, User
from tests import factories

SUBJECTS = {"it": "Novità di marzo", "en": "News of March", "es": "Novedades de marzo"}
TEXTS = {
    "it": "# Ciao\n\nÈ **primavera**.",
    "en": "# Hello\n\nIt is **spring**.",
    "es": "# Hola\n\nEs **primavera**.",
}
WORDS = {name: (SUBJECTS if name.startswith("subject") else TEXTS)[name[-2:]] for name in FIELDS}


def agree(player: Player, *, given: bool = True) -> None:
    Consent.objects.create(
        player=player, kind="newsletter", given=given, text_version="2025-1", language="it", way="account"
    )


def reader(email: str = "", *, language: str = "it", **fields: Any) -> Player:
    """Registered, with a confirmed address, and a yes to the newsletter."""
    player = factories.registered(user=factories.user(email, language=language), **fields)
    agree(player)
    return player


def draft(by: User, **words: str) -> Campaign:
    return Campaign.objects.create(made_by=by, **{**WORDS, **words})


def held(by: User, **words: str) -> Campaign:
    made = draft(by, **words)
    return writing.hold(made, version=made.version, by=by)


def sent(by: User, clock: Any, **words: str) -> Campaign:
    """Half an hour later it has left."""
    made = held(by, **words)
    clock.shift(writing.HOLD + timedelta(seconds=1))
    sending.send_due()
    made.refresh_from_db()
    return made
