"""Why a number of BIG is what it is: a championship, an Elo, the result of one tournament."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from big_league import labels
from big_league.compute import OF_EVENT
from big_league.rules import editions
from pergioco.ledger import published
from pergioco.players.policy import everyone
from pergioco.players.rules.publication import BIG
from pergioco.stages.models import Game, Stage
from pergioco.website.big import made_of
from pergioco.website.big.steps import as_published
from pergioco.website.page_cache import versioned
from pergioco.website.people.finding import answer_instead, player_at
from pergioco.website.ranking_form import season_asked
from pergioco.website.ranking_words import title
from pergioco.website.why import explained
from pergioco.website.why_parts import asked

MADE_OF = {"big": made_of.points, "big-elo": made_of.elo}


@everyone
@versioned
@require_safe
def of_game(request: HttpRequest, kind: str, slug: str, year: int, public_id: str) -> HttpResponse:
    game, season = get_object_or_404(Game, slug=slug), season_asked(year)
    player = player_at(public_id, BIG)
    if instead := answer_instead(request, player):
        return instead
    of = asked(request, season)
    ranking = of.version.ranking(f"{kind}:{slug}")
    line = ranking.line_of(player) if ranking else None
    if ranking is None or line is None:
        raise Http404
    values = explained(of, ranking, line, player) | MADE_OF[kind](of, ranking, line)
    values |= {"of_game": game, "title": title(ranking.kind, game)}
    return render(request, f"website/why/{kind.replace('-', '_')}.html", values)


@everyone
@versioned
@require_safe
def of_event(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """What one tournament gave a player, step by step."""
    stages = Stage.objects.select_related("game", "season")
    stage, player = get_object_or_404(stages, slug=slug, circuit=Stage.Circuit.BIG), player_at(public_id, BIG)
    if instead := answer_instead(request, player):
        return instead
    version = published.version(stage.season)
    ranking = version.ranking(f"{OF_EVENT}{slug}") if version else None
    line = ranking.line_of(player) if ranking else None
    if version is None or ranking is None or line is None:
        raise Http404
    edition = editions.for_season(stage.season.year)
    values: dict[str, Any] = {
        "stage": stage,
        "season": stage.season,
        "player": player,
        "version": version,
        "state": published.state_of(version),
        "ranking": ranking,
        "line": line,
        "kind": "big",
        "result": made_of.OfEvent(stage, line),
        "edition": edition,
        "steps": as_published(line, edition),
        "decided_by": labels.of_an_event(line.decided_by),
    }
    return render(request, "website/why/big_event.html", values)
