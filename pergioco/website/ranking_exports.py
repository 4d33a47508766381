"""How a ranking is taken away: as a file, on a wall, in a frame, as text."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse

from pergioco.ledger.models import Line
from pergioco.ledger.published import Ranking, Version
from pergioco.stages.models import Game, Stage
from pergioco.website import embed
from pergioco.website.addresses import rules_of, whole
from pergioco.website.front import Leader, leaders
from pergioco.website.ranking_words import address, bands, kind_of, title
from pergioco.website.sheets.download import WRITERS
from pergioco.website.sheets.exports import Exports

TOP = 10


def top(ranking: Ranking, places: int) -> list[Leader]:
    return leaders(kind_of(ranking.kind), ranking.named(ranking.lines[:places]))


def exports_of(version: Version, ranking: Ranking, game: Game | None, day: date | None, text: str) -> Exports:
    kind, season = ranking.kind, version.season
    screen = address("ranking", kind, season, day=day)
    frame = whole(address("ranking-embed", kind, season))
    return Exports(
        rules=rules_of(ranking.circuit),
        files=[(one.upper(), address("ranking-file", kind, season, one, day=day)) for one in WRITERS],
        screen=f"{screen}{'&' if day else '?'}screen=1",
        frame=embed.code(frame, f"{title(kind, game)} {season.year}"),
        text=text,
        feed=feed_of(ranking, game),
        api=api_address(kind, season.year, day),
    )


def feed_of(ranking: Ranking, game: Game | None) -> str:
    """Of a game its results; of all games the rankings, of which the feed tells those of PerGioco Masters."""
    if game is not None:
        return reverse("feed-game", args=[game.slug])
    return "" if ranking.circuit else reverse("feed-rankings")


def text_of(version: Version, ranking: Ranking, first: str, game: Game | None, state: str) -> str:
    """As one writes it in a message; `first` are the first places."""
    day = None if version.publication and version.publication.is_current else version.as_of
    values: dict[str, Any] = {
        "title": title(ranking.kind, game),
        "circuit": Stage.Circuit(ranking.circuit or Stage.Circuit.PGM).label,
        "version": version,
        "state_words": state,
        "first": first,
        "address": whole(address("ranking", ranking.kind, version.season, day=day)),
    }
    return render_to_string("website/rankings/copy.txt", values).strip()


def first_places(ranking: Ranking, lines: Sequence[Line]) -> str:
    values = {"bands": bands(ranking, leaders(kind_of(ranking.kind), lines[:TOP]))}
    return render_to_string("website/rankings/first.txt", values).strip()


def api_address(kind: str, year: int, day: date | None) -> str:
    name, _colon, slug = kind.partition(":")
    query = {"at": day.isoformat()} if day else None
    return reverse(f"api-{kind_of(kind)}-ranking" if slug else "api-ranking", args=[year, slug or name], query=query)
