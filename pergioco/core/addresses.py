"""URLs for pages, mail and other programs."""

from collections.abc import Callable
from typing import Any, Protocol

from django.conf import settings
from django.urls import reverse

LANGUAGE_PREFIXES = frozenset(f"/{code}/" for code, _name in settings.LANGUAGES)
PLAYER_PLACEHOLDER = "0" * 32  # in the place of a player's id
EXPLAINED_IN_SHORT = ("big", "rkm")  # on the page of all rules, each in a part of its own


class HasPublicId(Protocol):
    @property
    def public_id(self) -> str: ...


class HasPageId(Protocol):
    @property
    def page_id(self) -> str: ...


def rules_address(circuit: str) -> str:
    """The page that explains how the numbers of a circuit are computed."""
    return (
        reverse("rules", fragment=circuit)
        if circuit in EXPLAINED_IN_SHORT
        else reverse("rules-pgm")
    )


def player_address_builder(
    view: str, *args: object, query: dict[str, Any] | None = None
) -> Callable[[HasPublicId], str]:
    """Builds URLs of a view whose last argument is a player's id; reverses only once."""
    before, _id, after = reverse(view, args=[*args, PLAYER_PLACEHOLDER], query=query).rpartition(
        PLAYER_PLACEHOLDER
    )
    return lambda player: f"{before}{player.public_id}{after}"


def player_page_builder() -> Callable[[HasPageId], str]:
    """Builds the same URLs as `get_absolute_url`; reverses only once."""
    before, _id, after = reverse("player", args=[PLAYER_PLACEHOLDER]).rpartition(PLAYER_PLACEHOLDER)
    return lambda player: f"{before}{player.page_id}{after}"


def absolute_url(path: str = "") -> str:
    """Without a path: the root, with no trailing slash."""
    return settings.PUBLIC_URL.geturl().rstrip("/") + path
