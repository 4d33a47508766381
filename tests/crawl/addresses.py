"""Which addresses there are: found by following links, and guessed for URL patterns that no link
leads to."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from django.utils.translation import override

LANGUAGE, ANY = re.compile(r"^/(it|en|es)/"), "/*/"
HOSTS = {"", "localhost", "127.0.0.1:8000", "127.0.0.1"}
CONVERTER = re.compile(r"<(?:(\w+):)?(\w+)>")
DEFAULTS = {"int": "1", "ending": "csv"}
STARTS = (
    "/*/",
    "/*/me/",
    "/*/staff/",
    "/*/admin/",
    "/*/risiko/",
    "/*/big/",
    "/sitemap.xml",
    "/api/v1/stages/",
)


def in_language(address: str, language: str) -> str:
    return address.replace(ANY, f"/{language}/", 1) if address.startswith(ANY) else address


def canonical(target: str, page: str) -> str | None:
    """The same in all languages; None if it leads out of the site."""
    parts = urlsplit(urljoin(f"http://localhost{page}", target.strip()))
    if (
        parts.scheme not in {"http", "https"}
        or parts.netloc not in HOSTS
        or parts.path.startswith("/static/")
    ):
        return None
    path = LANGUAGE.sub(ANY, parts.path)
    return f"{path}?{parts.query}" if parts.query else path


def pattern_of(address: str) -> tuple[str, dict[str, Any]]:
    """Its route, and the arguments in it; links with a query count apart."""
    path, _, query = address.partition("?")
    with override("it"):
        try:
            match = resolve(in_language(path, "it"))
        except Resolver404:
            return "none", {}
    if path.startswith("/*/admin/"):
        return canonical_route(match.route) + "?" * bool(
            query
        ), match.kwargs  # its filters are without number
    names = ",".join(sorted({name for name, _value in parse_qsl(query, keep_blank_values=True)}))
    return f"{canonical_route(match.route)}?{names}" if query else canonical_route(
        match.route
    ), match.kwargs


def canonical_route(route: str) -> str:
    return LANGUAGE.sub(ANY, f"/{route}")


def all_routes() -> list[str]:
    with override("it"):
        return sorted(
            {canonical_route(route) for route in routes_of(get_resolver().url_patterns, "")}
        )


def routes_of(patterns: Iterable[Any], prefix: str) -> Iterator[str]:
    for pattern in patterns:
        where = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from routes_of(pattern.url_patterns, where)
        elif isinstance(pattern, URLPattern):
            yield where


class Found:
    """Addresses by URL pattern, in the order in which they were found."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self.by_pattern: dict[str, list[str]] = defaultdict(list)
        self.arguments: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for address in addresses:
            self.add(address)

    def add(self, address: str) -> None:
        pattern, arguments = pattern_of(address)
        if address not in self.by_pattern[pattern]:
            self.by_pattern[pattern].append(address)
            self.arguments[pattern.partition("?")[0]].append(arguments)

    def first(self, cap: int, cap_of_queries: int) -> list[str]:
        return [
            address
            for pattern, addresses in self.by_pattern.items()
            for address in addresses[: cap_of_queries if "?" in pattern else cap]
        ]

    def guesses(self, count: int) -> list[str]:
        """For patterns that were not found, with arguments of those most like them; a token is not
        guessed."""
        return [
            address
            for route in all_routes()
            if route not in self.by_pattern and "(?P<" not in route and ":token>" not in route
            for address in self.guesses_of(route, count)
        ]

    def guesses_of(self, route: str, count: int) -> list[str]:
        alike = sorted(self.arguments, key=lambda known: (-likeness(route, known), known))
        made = []
        for number in range(count):
            values = self.values_for(route, alike, number)
            made.append(CONVERTER.sub(lambda found, values=values: str(values[found[2]]), route))
        if "<int:" in route:  # the first row of its kind
            made.append(
                CONVERTER.sub(
                    lambda found: "1" if found[1] == "int" else str(values[found[2]]), route
                )
            )
        return list(dict.fromkeys(made))

    def values_for(self, route: str, alike: list[str], number: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        names = {name: kind for kind, name in CONVERTER.findall(route)}
        for known in alike:
            rows = self.arguments[known]
            row = rows[min(number, len(rows) - 1)]
            values |= {
                name: value for name, value in row.items() if name in names and name not in values
            }
        return {name: DEFAULTS.get(kind, "zzz") for name, kind in names.items()} | values


def likeness(one: str, other: str) -> int:
    """The number of segments that they have in common, in the same order; at their beginnings they
    count twice."""
    left, right = one.split("/"), other.split("/")
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    beginning = blocks[0].size if blocks[0].a == blocks[0].b == 0 else 0
    return sum(block.size for block in blocks) + beginning
