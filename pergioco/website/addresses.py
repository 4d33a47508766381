"""Addresses for other programs: with the host, whatever the one by which this request came. And many at once."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.urls import reverse

from pergioco.players.models import Player
from pergioco.stages.models import Stage

ANYBODY = "0" * 32  # in the place of a player's id
EXPLAINED_IN_SHORT = (Stage.Circuit.BIG, Stage.Circuit.RKM)  # on the page of all rules, each in a part of its own


def whole(path: str) -> str:
    return settings.PUBLIC_URL.geturl().rstrip("/") + path


def rules_of(circuit: str) -> str:
    """Where it is told how the numbers of a circuit are computed."""
    return reverse("rules", fragment=circuit) if circuit in EXPLAINED_IN_SHORT else reverse("rules-pgm")


def by_player(view: str, *args: object, query: dict[str, Any] | None = None) -> Callable[[Player], str]:
    """The addresses of a view whose last argument is a player's id: looked up once, for any number of players."""
    before, _id, after = reverse(view, args=[*args, ANYBODY], query=query).rpartition(ANYBODY)
    return lambda player: f"{before}{player.public_id}{after}"
