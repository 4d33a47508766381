"""Why pages of BIG: a championship, an Elo, the result of one tournament."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from big_league import explanations, labels
from big_league.compute import OF_EVENT
from big_league.rules import editions
from pergioco.core.page_cache import versioned
from pergioco.core.policy import everyone
from pergioco.players.queries.search import get_player_by_key, respond_instead
from pergioco.players.rules.people import BIG
from pergioco.publishing import published
from pergioco.publishing.queries.explanations import explain_ranking_line, requested_version
from pergioco.publishing.queries.ranking_form import resolve_season
from pergioco.publishing.queries.ranking_labels import ranking_title
from pergioco.stages.models import Game, Stage

EXPLAINERS = {"big": explanations.explain_points, "big-elo": explanations.explain_elo}


@everyone
@versioned
@require_safe
def why_game_ranking(
    request: HttpRequest, kind: str, slug: str, year: int, public_id: str
) -> HttpResponse:
    game, season = get_object_or_404(Game, slug=slug), resolve_season(year)
    player = get_player_by_key(public_id)
    if instead := respond_instead(request, player, BIG):
        return instead
    of = requested_version(request, season)
    ranking = of.version.ranking(f"{kind}:{slug}")
    line = ranking.line_of(player) if ranking else None
    if ranking is None or line is None:
        raise Http404
    values = explain_ranking_line(of, ranking, line, player) | EXPLAINERS[kind](of, ranking, line)
    values |= {"of_game": game, "title": ranking_title(ranking.kind, game)}
    return render(request, f"publishing/why/{kind.replace('-', '_')}.html", values)


@everyone
@versioned
@require_safe
def why_event_result(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    stages = Stage.objects.select_related("game", "season")
    stage, player = (
        get_object_or_404(stages, slug=slug, circuit=Stage.Circuit.BIG),
        get_player_by_key(public_id),
    )
    if instead := respond_instead(request, player, BIG):
        return instead
    version = published.find_version(stage.season)
    ranking = version.ranking(f"{OF_EVENT}{slug}") if version else None
    line = ranking.line_of(player) if ranking else None
    if version is None or ranking is None or line is None:
        raise Http404
    edition = editions.EDITIONS.in_force(stage.season.year)
    values: dict[str, Any] = {
        "stage": stage,
        "season": stage.season,
        "player": player,
        "version": version,
        "state": published.version_state(version),
        "ranking": ranking,
        "line": line,
        "kind": "big",
        "result": explanations.EventResult(stage, line),
        "edition": edition,
        "steps": explanations.LeagueSteps(line.detail, line.value, edition),
        "decided_by": labels.event_criterion(line.decided_by),
    }
    return render(request, "publishing/why/big_event.html", values)
