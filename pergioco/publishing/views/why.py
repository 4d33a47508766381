"""Pages that explain a published number: formula, inputs, steps and rules."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from big_league import explanations as made_of_big
from pergioco.core.page_cache import versioned
from pergioco.core.policy import everyone
from pergioco.players.models import Player
from pergioco.players.queries.search import get_player_by_key, respond_instead
from pergioco.players.rules.people import PGM
from pergioco.publishing import published
from pergioco.publishing.models import Line, PgrChange
from pergioco.publishing.published import Ranking, circuit_of_kind
from pergioco.publishing.queries import explanations
from pergioco.publishing.queries.explanations import (
    PARAGRAPHS,
    RequestedVersion,
    explain_ranking_line,
    requested_version,
    rules_behind,
)
from pergioco.publishing.queries.ranking_form import resolve_season
from pergioco.publishing.queries.ranking_labels import GREAT
from pergioco.stages.models import Game, Stage
from rankings.labels import leader_points

PARAGRAPHS_OF_A_CHANGE = (22, 25, 26)
PARTS_BY_KIND: dict[str, Callable[[RequestedVersion, Ranking, Line], dict[str, Any]]] = {
    "red": explanations.explain_overall,
    "blue": explanations.explain_overall,
    "green": explanations.explain_green,
    "race": explanations.explain_race,
    "big": made_of_big.explain_points,
}


@everyone
@versioned
@require_safe
def explain_number(request: HttpRequest, kind: str, year: int, public_id: str) -> HttpResponse:
    if kind not in GREAT:
        raise Http404
    season, player = resolve_season(year), get_player_by_key(public_id)
    if instead := respond_instead(request, player, circuit_of_kind(kind)):
        return instead
    of = requested_version(request, season)
    ranking = of.version.ranking(kind)
    line = ranking.line_of(player) if ranking else None
    if ranking is None or line is None:
        raise Http404
    values = explain_ranking_line(of, ranking, line, player) | PARTS_BY_KIND[kind](
        of, ranking, line
    )
    return render(request, f"publishing/why/{kind}.html", values)


@everyone
@versioned
@require_safe
def explain_game(request: HttpRequest, slug: str, year: int, public_id: str) -> HttpResponse:
    game, season = get_object_or_404(Game, slug=slug), resolve_season(year)
    player = get_player_by_key(public_id)
    if instead := respond_instead(request, player):
        return instead
    of = requested_version(request, season)
    history = explanations.rating_history(of, game, player)
    ranking = of.version.ranking(f"game:{slug}")
    line = ranking and ranking.line_of(player)
    if not history["steps"] and not history["opening"] and line is None:
        raise Http404
    values = (
        explain_ranking_line(of, ranking, line, player)
        if ranking and line
        else context_without_place(of, player)
    )
    return render(
        request,
        "publishing/why/game.html",
        values
        | history
        | {"game": game, "title": game.name, "leader_points": line and leader_points(line)},
    )


def context_without_place(of: RequestedVersion, player: Player) -> dict[str, Any]:
    season = of.version.season
    return {
        "season": season,
        "kind": "game",
        "player": player,
        "circuit": PGM,
        "version": of.version,
        "state": published.version_state(of.version),
        "day": of.day,
        "rules": rules_behind(season, PARAGRAPHS["game"], {}),
    }


@everyone
@versioned
@require_safe
def explain_change(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    stage = get_object_or_404(Stage.objects.select_related("game", "season"), slug=slug)
    player = get_player_by_key(public_id)
    if instead := respond_instead(request, player):
        return instead
    change = get_object_or_404(requested_changes(request), stage=stage, player=player)
    values = {
        "stage": stage,
        "season": stage.season,
        "player": player,
        "change": change,
        "rules": rules_behind(stage.season, PARAGRAPHS_OF_A_CHANGE, change.computation.settings),
        **explanations.explain_rating_change(change),
    }
    return render(request, "publishing/why/change.html", values)


def requested_changes(request: HttpRequest) -> QuerySet[PgrChange]:
    """Changes in force, or those of the requested computation, which may be superseded."""
    changes = PgrChange.objects.select_related("computation__revision", "computation__stage")
    computation = request.GET.get("computation", "")
    if computation.isascii() and computation.isdigit():
        return changes.filter(computation=int(computation[:18]))
    return changes.filter(is_current=True)
