"""Home page, rules and pages about the portal."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from big_league import labels
from pergioco.core.declarations import list_privacy_rows
from pergioco.core.page_cache import versioned
from pergioco.core.policy import everyone
from pergioco.publishing import published
from pergioco.publishing.queries import leaders
from pergioco.stages.seasons import season_for, season_state
from pergioco.website import style_samples
from pergioco.website.regulations import rendering


@everyone
@versioned
@require_safe
def home_page(request: HttpRequest) -> HttpResponse:
    today = timezone.localdate()
    season = season_for(today)
    version, calendar = published.latest_version(), leaders.home_calendar(today)
    context = {
        "season": season,
        "state": season and season_state(season, today),
        "figures": season and leaders.season_figures(season, today),
        "fixtures": calendar.coming,
        "on_now": leaders.stages_on_now(calendar.coming),
        "up_next": leaders.next_stage(calendar.coming),
        "results": calendar.results,
        "games": leaders.games_and_platforms(),
        "version": version,
        "leaders": version and leaders.leader_blocks(version, places=1),
    }
    return render(request, "website/home.html", context)


@everyone
@require_safe
def about_page(request: HttpRequest) -> HttpResponse:
    return render(request, "website/about.html")


@everyone
@require_safe
def privacy_page(request: HttpRequest) -> HttpResponse:
    return render(request, "website/privacy.html", {"rows": list_privacy_rows()})


@everyone
@require_safe
def accessibility_page(request: HttpRequest) -> HttpResponse:
    return render(request, "website/accessibility.html")


@everyone
@require_safe
def style_page(request: HttpRequest) -> HttpResponse:
    return render(request, "website/style.html", style_samples.style_page_values())


OFFICIAL_OF_PGM = "https://www.pergioco.net/pgmasters.html"
OFFICIAL_OF_RISIKO = "https://www.risiko.it/"


def current_year() -> int:
    """The year of the current season; without one, of the calendar."""
    today = timezone.localdate()
    season = season_for(today)
    return season.year if season else today.year


@everyone
@require_safe
def rules_page(request: HttpRequest) -> HttpResponse:
    years = rendering.seasons_with_rules().values_list("year", flat=True)
    context = {
        "official": OFFICIAL_OF_PGM,
        "official_of_big": labels.OFFICIAL,
        "official_of_risiko": OFFICIAL_OF_RISIKO,
        "years": years,
    }
    return render(request, "website/rules.html", context)


@everyone
@versioned
@require_safe
def rules_pgm_page(request: HttpRequest) -> HttpResponse:
    year = current_year()
    context = {
        "year": year,
        "has_season": rendering.seasons_with_rules().filter(year=year).exists(),
        "official": OFFICIAL_OF_PGM,
        "summary": rendering.explain_summary(year),
        "chapters": list(rendering.explain_chapters(year)),
    }
    return render(request, "website/rules_pgm.html", context)


@everyone
@versioned
@require_safe
def readings_page(request: HttpRequest, year: int) -> HttpResponse:
    season = get_object_or_404(rendering.seasons_with_rules(), year=year)
    context = {
        "season": season,
        "years": rendering.seasons_with_rules().values_list("year", flat=True),
        "readings": rendering.readings_in_force(season),
        "values": rendering.list_parameter_values(year),
        "official": OFFICIAL_OF_PGM,
    }
    return render(request, "website/readings.html", context)
