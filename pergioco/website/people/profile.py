"""A player at a glance: places, ratings and their course, stages, opponents, titles."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.ledger.models import Freeze, Line, PgrChange
from pergioco.ledger.published import Published
from pergioco.players.models import Player
from pergioco.players.policy import everyone
from pergioco.stages.models import Game, Stage
from pergioco.website.addresses import rules_of
from pergioco.website.page_cache import versioned
from pergioco.website.people import big, masters, opponents, stages
from pergioco.website.people.chart import Chart, Rating, chart
from pergioco.website.people.finding import answer_instead, player_at
from pergioco.website.people.ratings import Own, ratings_of
from pergioco.website.people.sheet import sheet_of
from pergioco.website.ranking_tables import value_shown
from pergioco.website.ranking_words import GREAT, NAMES, why_address
from pergioco.website.sheets.download import WRITERS, download
from pergioco.website.sheets.exports import Exports
from risiko_master import standing_labels as labels


@dataclass(frozen=True)
class Tile:
    """The place in one of the great rankings; no line for who does not stand in it."""

    kind: str
    name: str | Promise
    line: Line | None
    value: str
    moved: int | None
    why: str


@dataclass(frozen=True)
class Title:
    year: int
    kind: str
    name: str | Promise
    address: str


@everyone
@versioned
@require_safe
def player(request: HttpRequest, key: str) -> HttpResponse:
    found = player_at(key)
    if instead := answer_instead(request, found):
        return instead
    if request.path != found.get_absolute_url():
        return redirect(found, permanent=True)
    version = published.latest()
    values: dict[str, Any] = {"player": found, "version": version}
    if version is not None:
        values |= shown(request, found, version)
    return render(request, "website/people/profile.html", values)


@everyone
@require_safe
def player_file(request: HttpRequest, key: str, ending: str) -> HttpResponseBase:
    """The ratings of the page."""
    found = player_at(key)
    if instead := answer_instead(request, found):
        return instead
    version = published.latest()
    if version is None:
        raise Http404
    return download(request, sheet_of(found, version, ratings_of(own(found, version), found, version)), ending)


def own(player: Player, version: Published) -> Own:
    lines, moves = version.lines_and_moves(player)
    changes = version.changes().filter(player=player).select_related("game", "stage__season", "stage__game")
    return Own(lines, moves, list(changes))


def shown(request: HttpRequest, player: Player, version: Published) -> dict[str, Any]:
    theirs = own(player, version)
    championships = big.championships(player, version, theirs.lines)
    games = {change.game for change in theirs.changes} | {one.game for one in championships}
    lines = of_all_years(player)
    played = masters.played(lines)
    page = stages.page_of(theirs.changes, played, request.GET.get("page"))
    return {
        "state": published.state_of(version),
        "season": version.season,
        "has_before": version.publication is not None and version.publication.before_id is not None,
        "tiles": [tile(kind, player, version, theirs) for kind in GREAT],
        "master": masters.latest(played, version.season),
        "championships": championships,
        "ratings": ratings_of(theirs, player, version),
        "changes": theirs.changes,
        "chart": chart_of(theirs.changes),
        "page": page,
        "stages": stages.played(player, list(page)),
        "opponents": opponents.frequent(theirs.changes),
        "titles": titles(lines, games),
        "exports": exports_of(player),
        "image": reverse("player-image", args=[player.public_id]),
    }


def exports_of(player: Player) -> Exports:
    key = player.get_absolute_url().rstrip("/").rpartition("/")[2]
    files = [(one.upper(), reverse("player-file", args=[key, one])) for one in WRITERS]
    return Exports(rules=rules_of(Stage.Circuit.PGM), files=files, api=reverse("api-player", args=[player.public_id]))


def tile(kind: str, player: Player, version: Published, theirs: Own) -> Tile:
    line = theirs.lines.get(kind)
    value = value_shown(kind, line) if line else ""
    return Tile(kind, NAMES[kind], line, value, theirs.moves.get(kind), why_address(kind, version.season, player))


def chart_of(changes: list[PgrChange]) -> Chart | None:
    series: dict[Game, list[Rating]] = {}
    for change in changes:
        series.setdefault(change.game, []).append(Rating(change.ended_on, change.after))
    return chart((game.name, ratings) for game, ratings in series.items())


# Points of one stage, and the championships of BIG, which no year ends
NO_TITLE = (
    Q(computation__kind__startswith="race:")
    | Q(computation__kind__startswith="rkm:")
    | Q(computation__kind__startswith="big")
)


def of_all_years(player: Player) -> list[Line]:
    """First places in the final rankings of the years, national finals of BIG that were won, and Masters; the latest
    year first."""
    frozen = Freeze.objects.filter(frozen_at__isnull=False).values("publication")
    of_years = Q(rank=1, computation__shown__publication__in=frozen) & ~NO_TITLE
    own = Q(player=player) | Q(player__merged_into=player)
    found = Line.objects.filter(own & (of_years | big.FINAL_WON | masters.PLAYED))
    return list(
        found.select_related("player", "computation__season").order_by(
            "-computation__season__year", "computation__kind"
        )
    )


def titles(lines: Iterable[Line], games: Iterable[Game]) -> list[Title]:
    """Each once, whether a place was shared with oneself under another number or not."""
    names = {game.slug: game.name for game in games}
    won = (line.computation for line in lines if not labels.stage_of(line.computation.kind) or masters.is_won(line))
    return list(dict.fromkeys(title(one.season.year, one.kind, one.read.get("game"), names) for one in won))


def title(year: int, kind: str, game: str | None, names: Mapping[str, str]) -> Title:
    """`game` is told by finals of BIG."""
    family, _colon, slug = kind.partition(":")
    if master := labels.stage_of(kind):
        return Title(year, "risiko", Stage.Circuit.RKM.label, reverse("risiko-master", args=[master]))
    if game is not None:
        return Title(year, "big", names.get(game, game), reverse("stage", args=[year, slug]))
    return Title(year, family, NAMES.get(kind) or names.get(slug, ""), reverse("season-archive", args=[year]))
