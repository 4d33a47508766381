"""A player's public page: places, ratings over time, stages, opponents, titles; also as a file and
a picture."""

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

from pergioco.core.addresses import rules_address
from pergioco.core.exports.download import WRITERS, ExportLinks, download_sheet
from pergioco.core.page_cache import versioned
from pergioco.core.policy import everyone
from pergioco.core.share_image import Card, Place, share_image_response
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.queries import opponents, results
from pergioco.players.queries.chart import Chart, ChartRating, draw_chart
from pergioco.players.queries.ratings import PlayerResults, build_ratings_sheet, collect_ratings
from pergioco.players.queries.search import get_player_by_key, respond_instead
from pergioco.players.rules.people import PGM
from pergioco.publishing import published
from pergioco.publishing.models import Freeze, Line, PgrChange
from pergioco.publishing.published import Published
from pergioco.publishing.queries.ranking_exports import PLACES, state_line
from pergioco.publishing.queries.ranking_labels import GREAT, KINDS, NAMES, why_address
from pergioco.publishing.queries.ranking_rows import shown_line_value
from pergioco.stages.models import Game, Stage
from risiko_master import labels

# Rankings without a final order of the year: points of one stage, and BIG's championships
NO_TITLE = (
    Q(computation__kind__startswith="race:")
    | Q(computation__kind__startswith="rkm:")
    | Q(computation__kind__startswith="big")
)


@dataclass(frozen=True)
class Tile:
    """The place in one of the main rankings. `line` is None without a place."""

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
def player_page(request: HttpRequest, key: str) -> HttpResponse:
    found = get_player_by_key(key)
    if instead := respond_instead(request, found):
        return instead
    if request.path != found.get_absolute_url():
        return redirect(found, permanent=True)
    version = published.latest_version()
    values: dict[str, Any] = {"player": found, "version": version}
    if version is not None:
        values |= build_profile(request, found, version)
    return render(request, "players/public/profile.html", values)


@everyone
@require_safe
def player_ratings_file(request: HttpRequest, key: str, ending: str) -> HttpResponseBase:
    found = get_player_by_key(key)
    if instead := respond_instead(request, found):
        return instead
    version = published.latest_version()
    if version is None:
        raise Http404
    return download_sheet(
        request,
        build_ratings_sheet(
            found, version, collect_ratings(load_player_results(found, version), found, version)
        ),
        ending,
    )


def load_player_results(player: Player, version: Published) -> PlayerResults:
    lines, moves = version.lines_and_moves(player)
    changes = (
        version.changes()
        .filter(player=player)
        .select_related("game", "stage__season", "stage__game")
    )
    return PlayerResults(lines, moves, list(changes))


def build_profile(request: HttpRequest, player: Player, version: Published) -> dict[str, Any]:
    theirs = load_player_results(player, version)
    championships = results.list_championships(player, version, theirs.lines)
    games = {change.game for change in theirs.changes} | {one.game for one in championships}
    lines = lines_of_all_years(player)
    played = results.list_masters(lines)
    page = results.paginate_stages(theirs.changes, played, request.GET.get("page"))
    return {
        "state": published.version_state(version),
        "season": version.season,
        "has_before": version.publication is not None and version.publication.before_id is not None,
        "tiles": [build_tile(kind, player, version, theirs) for kind in GREAT],
        "master": results.latest_master(played, version.season),
        "championships": championships,
        "ratings": collect_ratings(theirs, player, version),
        "changes": theirs.changes,
        "chart": build_chart(theirs.changes),
        "page": page,
        "stages": results.list_played_stages(player, list(page)),
        "opponents": opponents.find_frequent_opponents(theirs.changes),
        "titles": list_titles(lines, games),
        "exports": profile_exports(player),
        "image": reverse("player-image", args=[player.public_id]),
    }


def profile_exports(player: Player) -> ExportLinks:
    key = player.get_absolute_url().rstrip("/").rpartition("/")[2]
    files = [(one.upper(), reverse("player-file", args=[key, one])) for one in WRITERS]
    return ExportLinks(
        rules=rules_address(Stage.Circuit.PGM),
        files=files,
        api=reverse("api-player", args=[player.public_id]),
    )


def build_tile(kind: str, player: Player, version: Published, theirs: PlayerResults) -> Tile:
    line = theirs.lines.get(kind)
    value = shown_line_value(kind, line) if line else ""
    return Tile(
        kind,
        NAMES[kind],
        line,
        value,
        theirs.moves.get(kind),
        why_address(kind, version.season, player),
    )


def build_chart(changes: list[PgrChange]) -> Chart | None:
    series: dict[Game, list[ChartRating]] = {}
    for change in changes:
        series.setdefault(change.game, []).append(ChartRating(change.ended_on, change.after))
    return draw_chart((game.name, ratings) for game, ratings in series.items())


def lines_of_all_years(player: Player) -> list[Line]:
    """First places in the final rankings of each year, won national finals of BIG, and Masters; the
    latest year first."""
    frozen = Freeze.objects.filter(frozen_at__isnull=False).values("publication")
    of_years = Q(rank=1, computation__shown__publication__in=frozen) & ~NO_TITLE
    own = Q(player=player) | Q(player__merged_into=player)
    found = Line.objects.filter(own & (of_years | results.FINAL_WON | results.MASTER_LINES))
    return list(
        found.select_related("player", "computation__season").order_by(
            "-computation__season__year", "computation__kind"
        )
    )


def list_titles(lines: Iterable[Line], games: Iterable[Game]) -> list[Title]:
    names = {game.slug: game.name for game in games}
    won = (
        line.computation
        for line in lines
        if not labels.slug_in_kind(line.computation.kind) or results.is_master_won(line)
    )
    # Without duplicates: two merged numbers of one player may share a first place.
    return list(
        dict.fromkeys(
            build_title(one.season.year, one.kind, one.read.get("game"), names) for one in won
        )
    )


def build_title(year: int, kind: str, game: str | None, names: Mapping[str, str]) -> Title:
    family, _colon, slug = kind.partition(":")
    if master := labels.slug_in_kind(kind):
        return Title(
            year, "risiko", Stage.Circuit.RKM.label, reverse("risiko-master", args=[master])
        )
    # Only lines of BIG finals have a `game`.
    if game is not None:
        return Title(year, "big", names.get(game, game), reverse("stage", args=[year, slug]))
    return Title(
        year, family, NAMES.get(kind) or names.get(slug, ""), reverse("season-archive", args=[year])
    )


@everyone
@require_safe
def player_image(request: HttpRequest, key: str) -> HttpResponseBase:
    player = get_player_by_key(key)
    if instead := respond_instead(request, player):
        return instead
    version = published.latest_version()
    if version is None:
        raise Http404
    return share_image_response(request, build_share_card(player, version))


def build_share_card(player: Player, version: Published) -> Card:
    lines = version.lines_of(player)
    places = [
        Place(lines[kind].rank, str(NAMES[kind]), "", shown_line_value(kind, lines[kind]))
        for kind in KINDS
        if kind in lines
    ]
    return Card(public_name(player, PGM), state_line(version, ""), places=tuple(places[:PLACES]))
