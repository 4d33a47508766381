"""People who want to be written to, and newsletters to write to them."""

from datetime import timedelta
from typing import Any

from pergioco.core import jobs
from pergioco.core.models import User
from pergioco.office.models import Campaign
from pergioco.office.newsletter import drafts, sending
from pergioco.office.newsletter.drafts import FIELDS
from pergioco.players.models import Consent, Player
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
        player=player,
        kind="newsletter",
        given=given,
        text_version="2025-1",
        language="it",
        way="account",
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
    return drafts.hold_newsletter(made, version=made.version, by=by)


def leave() -> None:
    """What is due begins to leave, and a worker sends it."""
    sending.send_due_newsletters()
    jobs.run_waiting()


def sent(by: User, clock: Any, **words: str) -> Campaign:
    """Half an hour later it has left."""
    made = held(by, **words)
    clock.shift(drafts.HOLD + timedelta(seconds=1))
    leave()
    made.refresh_from_db()
    return made
