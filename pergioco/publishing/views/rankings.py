"""Pages, files, frames and pictures of the rankings of a season."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import conditional_page, require_safe

from big_league.explanations import describe_cycle
from pergioco.core import displays, errors, limits, share_image
from pergioco.core.exports.download import download_sheet
from pergioco.core.page_cache import versioned, versioned_by
from pergioco.core.policy import everyone
from pergioco.core.share_image import Card
from pergioco.office.services import prizes
from pergioco.players.models import Player
from pergioco.publishing import published
from pergioco.publishing.models import Line
from pergioco.publishing.published import Ranking, Version
from pergioco.publishing.queries import leaders
from pergioco.publishing.queries.ranking_exports import (
    PLACES,
    first_places,
    leader_place,
    list_ranking_exports,
    make_ranking_sheet,
    ranking_as_text,
    state_line,
    top_leaders,
)
from pergioco.publishing.queries.ranking_form import RankingForm, resolve_ranking, resolve_version
from pergioco.publishing.queries.ranking_labels import (
    family_of,
    group_bands,
    label_version_state,
    ranking_address,
    ranking_meaning,
    ranking_title,
    why_addresses,
)
from pergioco.publishing.queries.ranking_rows import (
    build_rows,
    ranking_table,
    with_players,
)
from pergioco.stages.models import Game, Season, Stage
from pergioco.stages.seasons import season_for

PER_PAGE = 100
WHOLE_RANKINGS_RATE = "20/m/ip"  # every line on one page: seconds of work at 20,000 players
SHOWN_MASTERS = 5
# Rankings with templates of their own
CONTENTS = {"race": "race", "big": "big", "big-game": "big_game", "big-elo": "big_elo"}
# Cache keys: rankings do not depend on stages in progress.
STANDING_STILL = ("people", "rest")


@everyone
@require_safe
def latest_rankings(request: HttpRequest) -> HttpResponse:
    version = published.latest_version()
    season = version.season if version else season_for(timezone.localdate())
    if season is None:
        return render(
            request, "publishing/rankings/hub.html", {"blocks": leaders.leader_blocks(None)}
        )
    return redirect("rankings", season.year)


@everyone
@versioned_by(*STANDING_STILL)
@require_safe
def rankings_hub(request: HttpRequest, year: int) -> HttpResponse:
    season = get_object_or_404(Season, year=year)
    version = published.find_version(season)
    values = {
        "season": season,
        "seasons": published.published_seasons(),
        "version": version,
        "state": version and published.version_state(version),
        "blocks": leaders.leader_blocks(version),
        "games": leaders.game_leaders(version),
        "masters": list_masters(season),
    }
    return render(request, "publishing/rankings/hub.html", values)


def list_masters(season: Season) -> QuerySet[Stage]:
    held = season.stages.filter(circuit=Stage.Circuit.RKM).exclude(status=Stage.Status.CANCELLED)
    return held.order_by("-ends_on", "slug")[:SHOWN_MASTERS]


@everyone
@versioned_by(*STANDING_STILL)
@require_safe
def show_ranking(request: HttpRequest, year: int, kind: str = "", slug: str = "") -> HttpResponse:
    season, kind, game = resolve_ranking(year, kind, slug)
    if "all" in request.GET and not limits.consume(request, "whole_ranking", WHOLE_RANKINGS_RATE):
        return errors.too_many_requests(request)
    form = RankingForm(request.GET, season=season, kind=kind)
    values = {
        "season": season,
        "kind": family_of(kind),
        "game": game,
        "title": ranking_title(kind, game),
        "meaning": ranking_meaning(kind),
        "form": form,
        "query": form.query,
    }
    if displays.is_screen(request):
        return show_ranking_screen(request, form, values | version_context(request, kind, form))
    public = version_context(request, kind, form)
    values |= public
    values |= lines_context(request, form, values) | {
        "prizes": prizes.find_announced_prizes(season, kind)
    }
    values["content"] = f"publishing/rankings/{CONTENTS.get(family_of(kind), 'ranking')}.html"
    response = render(
        request, "publishing/rankings/page.html", values, status=429 if form.is_too_often else 200
    )
    if public["version"] is not None and public["version"].publication is None:
        response.headers["Cache-Control"] = (
            "no-cache"  # computed now: depends on tables without version counters here
        )
    return response


def version_context(request: HttpRequest, kind: str, form: RankingForm) -> dict[str, Any]:
    version = resolve_version(request, form)
    state = published.version_state(version) if version else None
    return {
        "version": version,
        "state": state,
        "state_words": label_version_state(state, kind) if state else "",
        "ranking": version.ranking(kind) if version else None,
    }


def lines_context(
    request: HttpRequest, form: RankingForm, values: dict[str, Any]
) -> dict[str, Any]:
    version, ranking, season = values["version"], values["ranking"], form.season
    if version is None or ranking is None:
        return {}
    page = page_of_lines(request, form, ranking)
    table, own = ranking_table(ranking, season), line_of_reader(request, ranking)
    lines = with_players(page.object_list)
    rows = list(
        build_rows(
            table,
            lines,
            moves=ranking.moves(page.object_list),
            own=own.player_id if own else None,
            why=why_addresses(ranking.kind, season, day=form.day),
        )
    )
    found = {
        "page": page,
        "table": table,
        "width": len(table.before) + 5,
        "own": own,
        "own_page": own and (own.position - 1) // PER_PAGE + 1,
        "is_filtered": form.players is not None,
        "bands": group_bands(ranking, rows),
        "first": first_places(ranking, rows),
        "image": ranking_address("ranking-image", ranking.kind, season),
    }
    text = copied_text(version, ranking, values | found)
    found["exports"] = list_ranking_exports(version, ranking, values["game"], form.day, text)
    if "big" in values["kind"]:
        found["cycle"] = describe_cycle(version, ranking, values["game"])
    return found


def page_of_lines(request: HttpRequest, form: RankingForm, ranking: Ranking) -> Page[Line]:
    # `all` shows every line: for printing and for the search of the browser.
    lines = ranking.lines if form.players is None else ranking.of(form.players)
    paginator = Paginator(lines, PER_PAGE)
    if form.players is None:
        paginator.count = ranking.count_lines()
    if "all" in request.GET:
        paginator.per_page = max(paginator.count, 1)
    return paginator.get_page(request.GET.get("page"))


def copied_text(version: Version, ranking: Ranking, values: dict[str, Any]) -> str:
    # Offered only where the first places are on the page.
    if values["is_filtered"] or values["page"].number > 1:
        return ""
    return ranking_as_text(version, ranking, values["first"], values["game"], values["state_words"])


def show_ranking_screen(
    request: HttpRequest, form: RankingForm, values: dict[str, Any]
) -> HttpResponse:
    page, ranking = None, values["ranking"]
    if ranking is not None:
        lines = ranking.lines if form.players is None else ranking.of(form.players)
        page = Paginator(lines, displays.PER_SCREEN).get_page(request.GET.get("page"))
        table, moves = ranking_table(ranking, form.season), ranking.moves(page.object_list)
        rows = list(build_rows(table, with_players(page.object_list), moves=moves))
        values |= {"table": table, "bands": group_bands(ranking, rows)}
    return displays.render_screen(request, "publishing/rankings/screen.html", page, values)


def line_of_reader(request: HttpRequest, ranking: Ranking) -> Line | None:
    if not request.user.is_authenticated:
        return None
    player = Player.objects.filter(person__user=request.user).first()
    return ranking.line_of(player) if player else None


@everyone
@require_safe
def download_ranking(
    request: HttpRequest, year: int, ending: str, kind: str = "", slug: str = ""
) -> HttpResponseBase:
    # The whole ranking. An invalid day is a 404, not another day's file.
    season, kind, game = resolve_ranking(year, kind, slug)
    form = RankingForm(request.GET, season=season, kind=kind)
    version = resolve_version(request, form)
    if form.is_too_often:
        return errors.too_many_requests(request)
    ranking = version.ranking(kind) if version else None
    if ranking is None or version is None or "at" in form.errors:
        raise Http404
    return download_sheet(request, make_ranking_sheet(version, ranking, game), ending)


@everyone
@versioned
@require_safe
@displays.allow_framing
@conditional_page
def embed_ranking(request: HttpRequest, year: int, kind: str = "", slug: str = "") -> HttpResponse:
    season, kind, game = resolve_ranking(year, kind, slug)
    version = published.find_version(season)
    found = version.ranking(kind) if version else None
    values = {
        "season": season,
        "kind": family_of(kind),
        "title": ranking_title(kind, game),
        "version": version,
    }
    if version is not None and found is not None:
        values |= {
            "state_words": label_version_state(published.version_state(version), kind),
            "heading": ranking_table(found, season).value.heading,
            "ranking": found,
            "bands": group_bands(found, top_leaders(found, displays.EMBED_PLACES)),
        }
    return displays.render_embed(
        request, "publishing/rankings/embed.html", ranking_address("ranking", kind, season), values
    )


@everyone
@require_safe
def draw_ranking_image(
    request: HttpRequest, year: int, kind: str = "", slug: str = ""
) -> HttpResponseBase:
    season, kind, game = resolve_ranking(year, kind, slug)
    version = published.find_version(season)
    found = version.ranking(kind) if version else None
    if version is None or found is None:
        raise Http404
    return share_image.share_image_response(request, ranking_card(version, found, game))


def ranking_card(version: Version, ranking: Ranking, game: Game | None) -> Card:
    return Card(
        title=f"{ranking_title(ranking.kind, game)} {version.season.year}",
        state=state_line(version, ranking.kind),
        kind=family_of(ranking.kind),
        places=tuple(leader_place(leader) for leader in top_leaders(ranking, PLACES)),
    )
