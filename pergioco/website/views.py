"""The public pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.players.policy import everyone
from pergioco.stages.seasons import season_for, state_of
from pergioco.website import front
from pergioco.website.page_cache import versioned


@everyone
@versioned
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    today = timezone.localdate()
    season = season_for(today)
    version, calendar = published.latest(), front.calendar(today)
    context = {
        "season": season,
        "state": season and state_of(season, today),
        "figures": season and front.figures(season, today),
        "fixtures": calendar.coming,
        "on_now": front.on_now(calendar.coming),
        "up_next": front.up_next(calendar.coming),
        "results": calendar.results,
        "games": front.games_and_platforms(),
        "version": version,
        "leaders": version and front.blocks(version, places=1),
    }
    return render(request, "website/home.html", context)
