"""Addresses for other programs: with the host, whatever the one by which this request came. And many at once."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.urls import reverse

from pergioco.players.models import Player

ANYBODY = "0" * 32  # in the place of a player's id


def whole(path: str) -> str:
    return settings.PUBLIC_URL.geturl().rstrip("/") + path


def by_player(view: str, *args: object, query: dict[str, Any] | None = None) -> Callable[[Player], str]:
    """The addresses of a view whose last argument is a player's id: looked up once, for any number of players."""
    before, _id, after = reverse(view, args=[*args, ANYBODY], query=query).rpartition(ANYBODY)
    return lambda player: f"{before}{player.public_id}{after}"
