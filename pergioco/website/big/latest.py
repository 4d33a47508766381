"""The addresses of the BIG rankings that stay the same from one season to the next."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.players.policy import everyone
from pergioco.stages.models import Game
from pergioco.stages.seasons import season_for
from pergioco.website.ranking_words import address


@everyone
@require_safe
def ranking(_request: HttpRequest, kind: str, slug: str = "") -> HttpResponse:
    if slug:
        get_object_or_404(Game, slug=slug)
    version = published.latest()
    season = version.season if version else season_for(timezone.localdate())
    if season is None:
        raise Http404
    return redirect(address("ranking", f"{kind}:{slug}" if slug else kind, season))
