"""The front page of Board Italian Gamers: what comes next, and where everything else is."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.players.policy import everyone
from pergioco.stages.models import Stage
from pergioco.website.calendar.fixtures import fixtures, with_entries
from pergioco.website.page_cache import versioned

SHOWN = 6


@everyone
@versioned
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    coming = Stage.objects.next_from(timezone.localdate()).filter(circuit=Stage.Circuit.BIG)
    return render(request, "website/big/home.html", {"fixtures": fixtures(with_entries(coming)[:SHOWN])})
