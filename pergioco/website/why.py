"""Why a published number is what it is: the formula, its inputs and their pages, the steps, the rules behind it."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.ledger.models import Line, PgrChange
from pergioco.ledger.published import Ranking, circuit_of
from pergioco.players.models import Player
from pergioco.players.policy import everyone
from pergioco.stages.models import Game, Stage
from pergioco.website import why_change_parts, why_made_of
from pergioco.website.big import made_of as made_of_big
from pergioco.website.page_cache import versioned
from pergioco.website.people.finding import answer_instead, player_at
from pergioco.website.ranking_form import season_asked
from pergioco.website.ranking_words import GREAT, kind_of, title
from pergioco.website.why_parts import PARAGRAPHS, Asked, asked, neighbours, rules_behind
from rankings.labels import leader_points

PARAGRAPHS_OF_A_CHANGE = (22, 25, 26)
MADE_OF: dict[str, Callable[[Asked, Ranking, Line], dict[str, Any]]] = {
    "red": why_made_of.overall,
    "blue": why_made_of.overall,
    "green": why_made_of.green,
    "race": why_made_of.race,
    "big": made_of_big.points,
}


@everyone
@versioned
@require_safe
def why(request: HttpRequest, kind: str, year: int, public_id: str) -> HttpResponse:
    if kind not in GREAT:
        raise Http404
    season, player = season_asked(year), player_at(public_id, circuit_of(kind))
    if instead := answer_instead(request, player):
        return instead
    of = asked(request, season)
    ranking = of.version.ranking(kind)
    line = ranking.line_of(player) if ranking else None
    if ranking is None or line is None:
        raise Http404
    values = explained(of, ranking, line, player) | MADE_OF[kind](of, ranking, line)
    return render(request, f"website/why/{kind}.html", values)


def explained(of: Asked, ranking: Ranking, line: Line, player: Player) -> dict[str, Any]:
    season, kind = of.version.season, kind_of(ranking.kind)
    above, below = neighbours(of, ranking, line)
    return {
        "season": season,
        "kind": kind,
        "title": title(kind, None) if kind in GREAT else "",
        "player": player,
        "version": of.version,
        "state": published.state_of(of.version),
        "day": of.day,
        "ranking": ranking,
        "line": line,
        "above": above,
        "below": below,
        "rules": rules_behind(season, PARAGRAPHS.get(kind, ()), ranking.settings),
    }


@everyone
@versioned
@require_safe
def why_game(request: HttpRequest, slug: str, year: int, public_id: str) -> HttpResponse:
    """A player's ratings in one game, stage by stage; the place among the active ones, if there is one."""
    game, season = get_object_or_404(Game, slug=slug), season_asked(year)
    player = player_at(public_id)
    if instead := answer_instead(request, player):
        return instead
    of = asked(request, season)
    history = why_made_of.history(of, game, player)
    ranking = of.version.ranking(f"game:{slug}")
    line = ranking and ranking.line_of(player)
    if not history["steps"] and not history["opening"] and line is None:
        raise Http404
    values = explained(of, ranking, line, player) if ranking and line else without_place(of, player)
    return render(
        request,
        "website/why/game.html",
        values | history | {"game": game, "title": game.name, "leader_points": line and leader_points(line)},
    )


def without_place(of: Asked, player: Player) -> dict[str, Any]:
    season = of.version.season
    return {
        "season": season,
        "kind": "game",
        "player": player,
        "version": of.version,
        "state": published.state_of(of.version),
        "day": of.day,
        "rules": rules_behind(season, PARAGRAPHS["game"], {}),
    }


@everyone
@versioned
@require_safe
def why_change(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """One change of a rating: every game of the stage, and why it counts or does not."""
    stage = get_object_or_404(Stage.objects.select_related("game", "season"), slug=slug)
    player = player_at(public_id)
    if instead := answer_instead(request, player):
        return instead
    change = get_object_or_404(changes_asked(request), stage=stage, player=player)
    values = {
        "stage": stage,
        "season": stage.season,
        "player": player,
        "change": change,
        "rules": rules_behind(stage.season, PARAGRAPHS_OF_A_CHANGE, change.computation.settings),
        **why_change_parts.steps(change),
    }
    return render(request, "website/why/change.html", values)


def changes_asked(request: HttpRequest) -> QuerySet[PgrChange]:
    """Those in force; or those of the computation that is asked for, which may have been replaced since."""
    changes = PgrChange.objects.select_related("computation__revision", "computation__stage")
    computation = request.GET.get("computation", "")
    if computation.isascii() and computation.isdigit():
        return changes.filter(computation=int(computation[:18]))
    return changes.filter(is_current=True)
