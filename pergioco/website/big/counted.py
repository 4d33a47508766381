"""The results of which a line of BIG's points is made: those that count are bold, the others stand in brackets."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from itertools import groupby

from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe

from pergioco.ledger.models import Line

MOST = 10


@dataclass(frozen=True)
class Result:
    game: str  # its name where the line is made of several games
    points: Decimal
    counts: bool


def results_of(line: Line, games: Mapping[str, str]) -> list[Result]:
    """Game by game, of each the best first; the games in the order of their best results."""
    counted = set(line.detail["counted"])
    found = [Result(games.get(slug, ""), Decimal(p), slug in counted) for slug, p in line.detail["results"].items()]
    best: dict[str, Decimal] = {}
    for one in found:
        best[one.game] = max(one.points, best.get(one.game, one.points))
    return sorted(found, key=lambda one: (-best[one.game], one.game, not one.counts, -one.points))


def written(line: Line, games: Mapping[str, str] | None = None) -> SafeString:
    results = results_of(line, games or {})
    parts = [of_game(game, own) for game, own in groupby(results[:MOST], key=lambda one: one.game)]
    more = f" +{len(results) - MOST}" if len(results) > MOST else ""
    text = f'<span class="results">{"; ".join(parts)}{more}</span>'
    return mark_safe(text)  # noqa: S308 - each text in it is escaped  # nosec B308, B703


def of_game(game: str, results: Iterable[Result]) -> str:
    return f"{escape(game)} {' · '.join(map(shown, results))}".strip()


def shown(one: Result) -> str:
    text = escape(number_format(one.points, 2, use_l10n=True))
    return f"<strong>{text}</strong>" if one.counts else f"({text})"
