"""The games: platforms, leader, number of stages."""

from dataclasses import dataclass

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from big_league.models.catalogue import played_online
from pergioco.core.page_cache import versioned
from pergioco.core.policy import everyone
from pergioco.players.models.accounts import Platform
from pergioco.publishing import published
from pergioco.publishing.queries import leaders as public_leaders
from pergioco.publishing.queries.leaders import Leader
from pergioco.stages.models import Game, Season, Stage
from pergioco.stages.seasons import season_for


@dataclass(frozen=True)
class GameCard:
    game: Game
    variants: dict[str, list[str]]  # the name of a platform -> what the game is called there
    leader: Leader | None
    stages: int


@everyone
@versioned
@require_safe
def list_games(request: HttpRequest) -> HttpResponse:
    version = published.latest_version()
    season = version.season if version else season_for(timezone.localdate())
    leaders = {game.pk: leader for game, leader in public_leaders.game_leaders(version)}
    stages = count_stages(season)
    found = sorted(
        played_online(Game.objects.prefetch_related("variants")),
        key=lambda game: game.name.casefold(),
    )
    shown = [
        GameCard(game, platform_variants(game), leaders.get(game.pk), stages.get(game.pk, 0))
        for game in found
    ]
    return render(request, "ratings/games.html", {"season": season, "games": shown})


def platform_variants(game: Game) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for variant in game.variants.all():
        found.setdefault(Platform(variant.platform).label, []).append(variant.key)
    return found


def count_stages(season: Season | None) -> dict[int, int]:
    held = Stage.objects.filter(season=season).exclude(status=Stage.Status.CANCELLED)
    return dict(held.order_by().values_list("game").annotate(Count("id")))


@everyone
@require_safe
def redirect_to_game_ranking(request: HttpRequest, slug: str) -> HttpResponse:
    # A permanent address for every season.
    game = get_object_or_404(Game, slug=slug)
    version = published.latest_version()
    season = version.season if version else season_for(timezone.localdate())
    return redirect("game-ranking", season.year, game.slug) if season else redirect("games")
