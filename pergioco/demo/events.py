"""Tournaments of Board Italian Gamers that were asked for: one is homologated, one waits, one has to change."""

from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.utils import timezone

from big_league.events import asking, reviewing
from big_league.events.models import Event
from pergioco.players.models import User
from pergioco.stages.models import Game, Season

AFTERNOON = time(14, 30)
GIACOMO = {
    "organizer_name": "Giacomo Bandini",
    "organizer_phone": "+39 055 0100",
    "organizer_email": "bandini@example.org",
}
NOTHING: dict[str, Any] = {
    "other_games": "",
    "address": "",
    "prizes": "",
    "criterion": "",
    "how": "",
    "notes": "",
    "rounds": None,
    "expected": None,
    "capacity": None,
    "bring_box": False,
}
# game, days from the visit, what was typed beside the organizer
HOMOLOGATED = (
    "agricola",
    24,
    {
        "place": "Biblioteca delle Oblate",
        "address": "Via dell'Oriuolo 24",
        "city": "Firenze",
        "rounds": 3,
        "expected": 16,
        "capacity": 16,
        "criterion": "Quattro scatole: prima chi porta la propria.",
        "bring_box": True,
        "prizes": "Un gioco per ogni finalista",
        "how": "Due turni alla svizzera e una finale",
    },
)
WAITING = (
    "splendor",
    5,
    {"place": "Circolo Due Dadi", "address": "Via Galliera 7", "city": "Bologna", "expected": 5, "rounds": 2},
)
TO_CHANGE = ("carcassonne", 40, {"place": "Bar Centrale", "city": "Pisa", "expected": 12, "capacity": 12})


def write(today: date, *, by: User) -> None:
    """Those that fit into the year of the visit: there is no calendar for the next one."""
    for slug, days, typed in (HOMOLOGATED, WAITING, TO_CHANGE):
        day = today + timedelta(days=days)
        if Season.objects.filter(starts_on__lte=day, ends_on__gte=day).exists():
            decide(send(slug, day, typed), by=by)


def send(slug: str, day: date, typed: dict[str, Any]) -> Event:
    starts_at = timezone.make_aware(datetime.combine(day, AFTERNOON))
    values = {**NOTHING, **GIACOMO, **typed, "starts_at": starts_at}
    sent = asking.Sent(values, [Game.objects.get(slug=slug)], uuid5(NAMESPACE_URL, f"demo-{slug}"), "it")
    return asking.send(sent, by=None)


def decide(event: Event, *, by: User) -> None:
    game = event.games.get()
    if game.slug == HOMOLOGATED[0]:
        reviewing.homologate(event, by=by, version=event.version, game=game)
    elif game.slug == TO_CHANGE[0]:
        reviewing.ask_for_change(event, by=by, version=event.version, answer="In quale via? E perché dodici posti?")
