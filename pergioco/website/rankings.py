"""The rankings of a season: all of them at a glance, one at a time, and each as a file."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.ledger.models import Line
from pergioco.ledger.published import Ranking, Version
from pergioco.office import prizes
from pergioco.players.models import Player
from pergioco.players.policy import everyone
from pergioco.stages.models import Season, Stage
from pergioco.stages.seasons import season_for
from pergioco.website import errors, front, screens
from pergioco.website.big.cycles import cycle_of
from pergioco.website.page_cache import Part, kept, versioned
from pergioco.website.ranking_exports import exports_of, first_places, text_of
from pergioco.website.ranking_form import AskedForm, ranking_asked, version_asked
from pergioco.website.ranking_rows import BigBody, RaceBody, SheetBody
from pergioco.website.ranking_sheet import sheet_of
from pergioco.website.ranking_tables import Table, rows_of, table_of
from pergioco.website.ranking_words import address, bands, kind_of, meaning, state_words, title, why_addresses
from pergioco.website.sheets.download import download

PER_PAGE = 500
SHOWN_MASTERS = 5
# Rankings that look different from the others
CONTENTS = {"race": "race", "big": "big", "big-game": "big_game", "big-elo": "big_elo"}
BODIES: dict[str, type[SheetBody] | type[RaceBody]] = {"race": RaceBody, "big": BigBody, "big-game": BigBody}


@everyone
@require_safe
def latest(request: HttpRequest) -> HttpResponse:
    version = published.latest()
    season = version.season if version else season_for(timezone.localdate())
    if season is None:
        return render(request, "website/rankings/hub.html", {"blocks": front.blocks(None)})
    return redirect("rankings", season.year)


@everyone
@versioned
@require_safe
def hub(request: HttpRequest, year: int) -> HttpResponse:
    season = get_object_or_404(Season, year=year)
    version = published.version(season)
    values = {
        "season": season,
        "seasons": published.published_seasons(),
        "version": version,
        "state": version and published.state_of(version),
        "blocks": front.blocks(version),
        "games": front.game_leaders(version),
        "masters": masters_of(season),
    }
    return render(request, "website/rankings/hub.html", values)


def masters_of(season: Season) -> QuerySet[Stage]:
    """The latest first."""
    held = season.stages.filter(circuit=Stage.Circuit.RKM).exclude(status=Stage.Status.CANCELLED)
    return held.order_by("-ends_on", "slug")[:SHOWN_MASTERS]


@everyone
@versioned
@require_safe
def ranking(request: HttpRequest, year: int, kind: str = "", slug: str = "") -> HttpResponse:
    season, kind, game = ranking_asked(year, kind, slug)
    form = AskedForm(request.GET, season=season, kind=kind)
    values = {
        "season": season,
        "kind": kind_of(kind),
        "game": game,
        "title": title(kind, game),
        "meaning": meaning(kind),
        "form": form,
        "query": form.query,
    }
    if screens.is_screen(request):
        return screen(request, form, values | shown(request, kind, form))
    draw = partial(parts_of, request, kind, values)
    parts = draw() if form.asks_for_a_day else kept("ranking", year, kind, form.query.urlencode(), make=draw)
    status = 429 if form.is_too_often else 200
    return render(request, "website/rankings/page.html", values | dict(parts), status=status)


def shown(request: HttpRequest, kind: str, form: AskedForm) -> dict[str, Any]:
    version = version_asked(request, form)
    state = published.state_of(version) if version else None
    return {
        "version": version,
        "state": state,
        "state_words": state_words(state, kind) if state else "",
        "ranking": version.ranking(kind) if version else None,
    }


def parts_of(request: HttpRequest, kind: str, values: dict[str, Any]) -> Part:
    """All that depends on what is published."""
    form = values["form"]
    values = values | shown(request, kind, form)
    version, ranking = values["version"], values["ranking"]
    values["prizes"] = prizes.announced(values["season"], kind)
    names = {"content": CONTENTS.get(kind_of(kind), "ranking")}
    if version is not None and ranking is not None:
        values |= sheet(request, values["season"], ranking, form)
        if "big" in values["kind"]:
            values["cycle"] = cycle_of(version, ranking, values["game"])
        values["exports"] = exports_of(version, ranking, values["game"], form.day, copied(version, ranking, values))
        values["image"] = address("ranking-image", kind, values["season"])
        names |= {"line": "state_line"} if form.day else {"line": "state_line", "share": "share"}
    return [(part, render_to_string(f"website/rankings/{name}.html", values, request)) for part, name in names.items()]


def sheet(request: HttpRequest, season: Season, ranking: Ranking, form: AskedForm) -> dict[str, Any]:
    """One page of the ranking, or of those who were asked for."""
    asked = form.players
    lines = ranking.lines if asked is None else ranking.of(asked)
    page = Paginator(lines, PER_PAGE).get_page(request.GET.get("page"))
    table, own = table_of(ranking, season), own_line(request, ranking)
    why = why_addresses(ranking.kind, season, day=form.day)
    named = ranking.named(page.object_list)
    return {
        "page": page,
        "table": table,
        "own": own,
        "own_page": own and (own.position - 1) // PER_PAGE + 1,
        "is_filtered": asked is not None,
        "body": body_of(ranking, table, named, own, why),
        "first": first_places(ranking, named),
    }


def body_of(
    ranking: Ranking, table: Table, named: list[Line], own: Line | None, why: Callable[[Player], str]
) -> SafeString:
    rows = rows_of(table, named, moves=ranking.moves(named), own=own.player_id if own else None, why=why)
    write = BODIES.get(kind_of(ranking.kind), SheetBody)
    return write(table, has_before=ranking.before is not None)(bands(ranking, list(rows)))


def copied(version: Version, ranking: Ranking, values: dict[str, Any]) -> str:
    """Offered where the first places are on the page."""
    if values["is_filtered"] or values["page"].number > 1:
        return ""
    return text_of(version, ranking, values["first"], values["game"], values["state_words"])


def screen(request: HttpRequest, form: AskedForm, values: dict[str, Any]) -> HttpResponse:
    page, ranking = None, values["ranking"]
    if ranking is not None:
        lines = ranking.lines if form.players is None else ranking.of(form.players)
        page = Paginator(lines, screens.PER_SCREEN).get_page(request.GET.get("page"))
        table, named = table_of(ranking, form.season), ranking.named(page.object_list)
        rows = list(rows_of(table, named, moves=ranking.moves(named)))
        values |= {"table": table, "bands": bands(ranking, rows)}
    return screens.show(request, "website/rankings/screen.html", page, values)


def own_line(request: HttpRequest, ranking: Ranking) -> Line | None:
    if not request.user.is_authenticated:
        return None
    player = Player.objects.filter(person__user=request.user).first()
    return ranking.line_of(player) if player else None


@everyone
@require_safe
def ranking_file(request: HttpRequest, year: int, ending: str, kind: str = "", slug: str = "") -> HttpResponseBase:
    """The whole ranking, whatever else is asked; nothing instead of another day than the one that was asked for."""
    season, kind, game = ranking_asked(year, kind, slug)
    form = AskedForm(request.GET, season=season, kind=kind)
    version = version_asked(request, form)
    if form.is_too_often:
        return errors.too_many(request)
    ranking = version.ranking(kind) if version else None
    if ranking is None or version is None or "at" in form.errors:
        raise Http404
    return download(request, sheet_of(version, ranking, game), ending)
