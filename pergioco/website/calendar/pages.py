"""The calendar's pages: the list, next stages first, and the grid of a month."""

from collections.abc import Iterable, Mapping
from datetime import date
from itertools import groupby
from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.players.policy import everyone
from pergioco.stages.models import Season, Stage
from pergioco.stages.seasons import season_for
from pergioco.website.calendar import addresses, month_grid
from pergioco.website.calendar.asking import CalendarForm
from pergioco.website.calendar.fixtures import Fixture, fixtures, with_entries
from pergioco.website.page_cache import versioned

MONTHS = 12
COMING, PAST, WHOLE = "coming", "past", "season"


@everyone
@versioned
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """What comes next, whatever its season; or what is over, or all, of one season."""
    today, form = timezone.localdate(), CalendarForm(request.GET)
    seasons = list(Season.objects.order_by("-year"))
    season = season_asked(request.GET, seasons) or season_for(today)
    when = request.GET.get("when", COMING)
    when = when if when in {PAST, WHOLE} and season else COMING
    found = fixtures(with_entries(in_time(form.stages(), when, season, today)))
    context = {
        "form": form,
        "when": when,
        "season": season,
        "seasons": seasons,
        "months": by_month(found),
        "count": len(found),
        "this_month": today.replace(day=1),
        **around(form),
    }
    return render(request, "website/calendar/list.html", context)


def season_asked(asked: QueryDict, seasons: Iterable[Season]) -> Season | None:
    return next((season for season in seasons if str(season.year) == asked.get("season")), None)


def in_time(stages: QuerySet[Stage], when: str, season: Season | None, today: date) -> QuerySet[Stage]:
    if when == COMING:
        return stages.filter(ends_on__gte=today).order_by("starts_on", "id")
    own = stages.filter(season=season)
    if when == PAST:
        return own.filter(ends_on__lt=today).order_by("-starts_on", "-id")
    return own.order_by("starts_on", "id")


def by_month(found: Iterable[Fixture]) -> list[tuple[date, list[Fixture]]]:
    """Under the first day of the month in which they begin."""
    months = groupby(found, key=lambda fixture: fixture.stage.starts_on.replace(day=1))
    return [(first, list(own)) for first, own in months]


@everyone
@versioned
@require_safe
def month(request: HttpRequest, year: int, month: int) -> HttpResponse:
    today = timezone.localdate()
    seasons = list(Season.objects.order_by("-year"))
    years = {season.year for season in seasons} or {today.year}
    if year not in years or not 1 <= month <= MONTHS:
        raise Http404
    form, first = CalendarForm(request.GET), date(year, month, 1)
    grid = month_grid.of(first, today, form.stages())
    context = {
        "form": form,
        "grid": grid,
        "seasons": seasons,
        "before": neighbour(grid.before, years),
        "after": neighbour(grid.after, years),
        "this_month": today.replace(day=1) if today.year in years else None,
        **around(form),
    }
    return render(request, "website/calendar/month.html", context)


def neighbour(first: date, years: set[int]) -> date | None:
    return first if first.year in years else None


def around(form: CalendarForm) -> Mapping[str, Any]:
    """What both pages say about the file of what was asked for."""
    return {"is_filtered": bool(form.asked), "file": addresses.of_what_was_asked(form.asked)}
