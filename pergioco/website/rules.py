"""The rules in our own words, with examples computed as the page is shown; and how the portal reads them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.players.policy import everyone
from pergioco.stages.seasons import season_for
from pergioco.website.big import games as big_games
from pergioco.website.page_cache import versioned
from pergioco.website.regulations import explaining, parameters, pgm, readings

OFFICIAL_OF_RISIKO = "https://www.risiko.it/"


def current_year() -> int:
    """Of the season that is on; of the calendar while none is announced."""
    today = timezone.localdate()
    season = season_for(today)
    return season.year if season else today.year


@everyone
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    years = readings.seasons().values_list("year", flat=True)
    context = {
        "official": pgm.OFFICIAL,
        "official_of_big": big_games.OFFICIAL,
        "official_of_risiko": OFFICIAL_OF_RISIKO,
        "years": years,
    }
    return render(request, "website/rules.html", context)


@everyone
@versioned
@require_safe
def rules_pgm(request: HttpRequest) -> HttpResponse:
    year = current_year()
    context = {
        "year": year,
        "has_season": readings.seasons().filter(year=year).exists(),
        "official": pgm.OFFICIAL,
        "summary": explaining.summary(year),
        "chapters": list(explaining.chapters(year)),
    }
    return render(request, "website/rules_pgm.html", context)


@everyone
@versioned
@require_safe
def in_season(request: HttpRequest, year: int) -> HttpResponse:
    season = get_object_or_404(readings.seasons(), year=year)
    context = {
        "season": season,
        "years": readings.seasons().values_list("year", flat=True),
        "readings": readings.in_force(season),
        "values": parameters.values(year),
        "official": pgm.OFFICIAL,
    }
    return render(request, "website/readings.html", context)
