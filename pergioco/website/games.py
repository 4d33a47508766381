"""The games: where each one is played, who leads it, and the way to its ranking."""

from dataclasses import dataclass

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from big_league.models import played_online
from pergioco.ledger import published
from pergioco.players.models.accounts import Platform
from pergioco.players.policy import everyone
from pergioco.stages.models import Game, Season, Stage
from pergioco.stages.seasons import season_for
from pergioco.website import front
from pergioco.website.front import Leader
from pergioco.website.page_cache import versioned


@dataclass(frozen=True)
class Shown:
    game: Game
    variants: dict[str, list[str]]  # the name of a platform -> what the game is called there
    leader: Leader | None
    stages: int


@everyone
@versioned
@require_safe
def games(request: HttpRequest) -> HttpResponse:
    version = published.latest()
    season = version.season if version else season_for(timezone.localdate())
    leaders = {game.pk: leader for game, leader in front.game_leaders(version)}
    stages = stages_of(season)
    found = sorted(played_online(Game.objects.prefetch_related("variants")), key=lambda game: game.name.casefold())
    shown = [Shown(game, variants(game), leaders.get(game.pk), stages.get(game.pk, 0)) for game in found]
    return render(request, "website/games.html", {"season": season, "games": shown})


def variants(game: Game) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for variant in game.variants.all():
        found.setdefault(Platform(variant.platform).label, []).append(variant.key)
    return found


def stages_of(season: Season | None) -> dict[int, int]:
    """Game -> how many stages it has that season."""
    held = Stage.objects.filter(season=season).exclude(status=Stage.Status.CANCELLED)
    return dict(held.order_by().values_list("game").annotate(Count("id")))


@everyone
@require_safe
def ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """The address that stays the same from one season to the next."""
    game = get_object_or_404(Game, slug=slug)
    version = published.latest()
    season = version.season if version else season_for(timezone.localdate())
    return redirect("game-ranking", season.year, game.slug) if season else redirect("games")
