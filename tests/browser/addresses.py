"""The names of the addresses that the portal has now."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver


def walk(patterns: list[Any], route: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        here = f"{route}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from walk(pattern.url_patterns, here)
        else:
            yield here, pattern


def names_of_all_addresses() -> set[str]:
    """Without the stock admin: Django's own pages, made for a desk, and not ours to shape. Ours all
    have a name."""
    return {
        pattern.name
        for route, pattern in walk(get_resolver().url_patterns)
        if pattern.name and "/admin/" not in f"/{route}"
    }
