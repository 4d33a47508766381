"""A newsletter that was sent, one that leaves in half an hour, one that is being written; and what a player asked for.

The room that mail belongs to stands above this one: its tables are reached by their names.
"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.utils import timezone

from pergioco.ledger.models import Publication
from pergioco.players.models import Consent, Player, User
from pergioco.stages.models import Game

SENT = {
    "subject_it": "Un anno di gioco: chi guida, e dove si gioca",
    "subject_en": "A year of play: who leads, and where to play next",
    "subject_es": "Un año de juego: quién va primero y dónde se juega",
    "text_it": "# Chi guida\n\nLa stagione è a un buon punto: ecco i **primi cinque** della Rossa.\n\n[[red 5]]\n\n"
    "# Dove si gioca\n\nVi aspettiamo, *anche alla prima tappa*.\n\n[[calendar 4]]\n",
    "text_en": "# Who leads\n\nThe season is well under way: here are the **first five** of the Red ranking.\n\n"
    "[[red 5]]\n\n# Where to play\n\nCome and join, *even if it is your first stage*.\n\n[[calendar 4]]\n",
    "text_es": "# Quién va primero\n\nLa temporada avanza: estos son los **cinco primeros** de la Roja.\n\n"
    "[[red 5]]\n\n# Dónde se juega\n\nOs esperamos, *aunque sea vuestra primera etapa*.\n\n[[calendar 4]]\n",
}
HELD = {
    "subject_it": "La Race si decide ora",
    "subject_en": "The Race is decided now",
    "subject_es": "La Race se decide ahora",
    "text_it": "Mancano poche tappe.\n\n[[race 10]]\n",
    "text_en": "Few stages are left.\n\n[[race 10]]\n",
    "text_es": "Quedan pocas etapas.\n\n[[race 10]]\n",
}
DRAFT = {
    "subject_it": "Idee per la nuova stagione",
    "text_it": "Da scrivere: date, giochi, [premi](https://example.org).\n",
}
WEEK, HALF_AN_HOUR = timedelta(days=7), timedelta(minutes=30)


def table(name: str) -> Any:
    return apps.get_model("contact", name).objects


def write(player: User, *, staff: User, second: User) -> None:
    now = timezone.now()
    write_sent(by=staff)
    table("Campaign").create(**HELD, state="held", leaves_at=now + HALF_AN_HOUR, made_by=second, released_by=staff)
    table("Campaign").create(**DRAFT, made_by=second)
    write_wishes(Player.objects.get(person__user=player))


def write_sent(*, by: User) -> None:
    at = timezone.now() - WEEK
    sent = table("Campaign").create(
        **SENT,
        state="sent",
        made_by=by,
        released_by=by,
        leaves_at=at,
        begun_at=at,
        ended_at=at + timedelta(minutes=2),
        publication=Publication.objects.filter(is_current=True).order_by("season__year").last(),
    )
    acts = Consent.objects.filter(kind=Consent.Kind.NEWSLETTER, given=True).order_by("player")
    for number, player in enumerate(acts.values_list("player", flat=True).distinct()):
        state, own = "refused" if number == 0 else "sent", {"campaign": sent, "player_id": player}
        table("Delivery").create(
            **own, message_id=f"<{uuid4()}@example.org>", state=state, tries=1, not_before=at, at=at
        )
        if state == "refused":
            table("Bounce").create(player_id=player, address="gone@example.org")


def write_wishes(player: Player) -> None:
    """Own results at once, the rankings once a day, a game and a player followed."""
    rows = table("Subscription")
    rows.create(player=player, kind="results")
    rows.create(player=player, kind="rankings", pace="daily")
    games = Game.objects.order_by("slug")
    rows.create(player=player, kind="moved", game=games.get(slug="amazons"))
    rows.create(player=player, kind="game", game=games.get(slug="othello"))
    named = Player.objects.current().filter(registration__state="verified", registration__publication_allowed=True)
    rows.create(player=player, kind="player", followed=named.exclude(pk=player.pk).order_by("pk")[0], pace="daily")
