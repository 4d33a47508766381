"""The calendar as a list, by months, and as iCalendar files."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Calendar, Event, Timezone, vText

from pergioco.core.page_cache import versioned
from pergioco.core.policy import everyone
from pergioco.players.models import Player
from pergioco.players.services import calendar_links
from pergioco.stages.models import Entry, Revision, Season, Seat, Stage
from pergioco.stages.queries import calendar, calendar_files
from pergioco.stages.queries.calendar import (
    CalendarForm,
    Fixture,
    build_fixtures,
    race_numbers,
    with_entry_counts,
)
from pergioco.stages.queries.calendar_files import build_events
from pergioco.stages.seasons import season_for

MONTHS = 12
COMING, PAST, WHOLE = "coming", "past", "season"
# The rules of the European Union since 1996; `add_missing_timezones` would list each year.
ROME = Timezone.from_ical("""\
BEGIN:VTIMEZONE
TZID:Europe/Rome
BEGIN:DAYLIGHT
DTSTART:19960331T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
END:STANDARD
END:VTIMEZONE
""")
UPDATED_EVERY = timedelta(hours=6)


@everyone
@versioned
@require_safe
def calendar_list(request: HttpRequest) -> HttpResponse:
    today, form = timezone.localdate(), CalendarForm(request.GET)
    seasons = list(Season.objects.order_by("-year"))
    season = requested_season(request.GET, seasons) or season_for(today)
    when = request.GET.get("when", COMING)
    when = when if when in {PAST, WHOLE} and season else COMING
    found = build_fixtures(with_entry_counts(stages_in_period(form.stages(), when, season, today)))
    context = {
        "form": form,
        "when": when,
        "season": season,
        "seasons": seasons,
        "months": group_by_month(found),
        "count": len(found),
        "this_month": today.replace(day=1),
        **calendar_file_context(form),
    }
    return render(request, "stages/calendar/list.html", context)


def requested_season(asked: QueryDict, seasons: Iterable[Season]) -> Season | None:
    return next((season for season in seasons if str(season.year) == asked.get("season")), None)


def stages_in_period(
    stages: QuerySet[Stage], when: str, season: Season | None, today: date
) -> QuerySet[Stage]:
    if when == COMING:
        return stages.filter(ends_on__gte=today).order_by("starts_on", "id")
    own = stages.filter(season=season)
    if when == PAST:
        return own.filter(ends_on__lt=today).order_by("-starts_on", "-id")
    return own.order_by("starts_on", "id")


def group_by_month(found: Iterable[Fixture]) -> list[tuple[date, list[Fixture]]]:
    months = groupby(found, key=lambda fixture: fixture.stage.starts_on.replace(day=1))
    return [(first, list(own)) for first, own in months]


@everyone
@versioned
@require_safe
def calendar_month(request: HttpRequest, year: int, month: int) -> HttpResponse:
    today = timezone.localdate()
    seasons = list(Season.objects.order_by("-year"))
    years = {season.year for season in seasons} or {today.year}
    if year not in years or not 1 <= month <= MONTHS:
        raise Http404
    form, first = CalendarForm(request.GET), date(year, month, 1)
    grid = calendar.build_month(first, today, form.stages())
    context = {
        "form": form,
        "grid": grid,
        "seasons": seasons,
        "before": month_in_years(grid.before, years),
        "after": month_in_years(grid.after, years),
        "this_month": today.replace(day=1) if today.year in years else None,
        **calendar_file_context(form),
    }
    return render(request, "stages/calendar/month.html", context)


def month_in_years(first: date, years: set[int]) -> date | None:
    return first if first.year in years else None


def calendar_file_context(form: CalendarForm) -> Mapping[str, Any]:
    return {
        "is_filtered": bool(form.asked),
        "file": calendar_files.filtered_calendar_file(form.asked),
    }


@everyone
@versioned
@require_safe
@conditional_page
def calendar_file(request: HttpRequest) -> HttpResponse:
    # An unknown game is a 404, not a calendar that remains empty.
    form = CalendarForm(request.GET)
    if not form.is_valid():
        raise Http404
    return calendar_response(_("PerGioco calendar"), recent_stages(form.stages()))


@everyone
@require_safe
@conditional_page
def own_calendar_file(request: HttpRequest, token: str) -> HttpResponse:
    # Calendar apps cannot sign in: the address is the key, and the content is public anyway.
    player = calendar_links.find_player_by_calendar_token(token)
    if player is None:
        raise Http404
    answer = calendar_response(_("My PerGioco calendar"), recent_stages(stages_of_player(player)))
    answer["X-Robots-Tag"] = "noindex"
    answer["Cache-Control"] = "private, no-cache"
    return answer


@everyone
@versioned
@require_safe
@conditional_page
def stage_calendar_file(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    # Only the file of one stage may have an alarm: a subscription would ring for all.
    stage = get_object_or_404(Stage, season__year=year, slug=slug)
    reminds = request.GET.get("remind") == "1"
    answer = calendar_response(stage.game.name, Stage.objects.filter(pk=stage.pk), reminds=reminds)
    answer["Content-Disposition"] = f'attachment; filename="{stage.slug}.ics"'
    return answer


def recent_stages(stages: QuerySet[Stage]) -> QuerySet[Stage]:
    last = Season.objects.aggregate(year=Max("year"))["year"] or 0
    return stages.filter(season__year__gte=last - 1)


def stages_of_player(player: Player) -> QuerySet[Stage]:
    own = Q(player=player) | Q(player__merged_into=player)
    seats = Seat.objects.filter(own, table__round__revision__state=Revision.State.CURRENT)
    played = seats.values("table__round__revision__stage__game")
    is_coming = Q(status__in=(Stage.Status.PLANNED, Stage.Status.OPEN, Stage.Status.CANCELLED))
    entered = Entry.objects.filter(own).values("stage")
    return Stage.objects.filter(Q(pk__in=entered) | Q(is_coming, game__in=played))


def calendar_response(name: str, stages: QuerySet[Stage], *, reminds: bool = False) -> HttpResponse:
    shown = (
        stages.select_related("game", "season", "big_event__stage", "big_final__stage")
        .prefetch_related("date_changes")
        .order_by("starts_on", "id")
    )
    found = list(shown)
    numbers = race_numbers({stage.season_id for stage in found if stage.race})
    content = write_calendar(name, build_events(found, numbers, reminds=reminds))
    answer = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = 'inline; filename="pergioco.ics"'
    return answer


def write_calendar(name: str, shown: Iterable[Event]) -> bytes:
    # A calendar without any component is not well-formed: always include the time zone.
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//PerGioco//Masters//IT")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("name", vText(name))
    calendar.add("x-wr-calname", vText(name))
    calendar.add("x-wr-timezone", "Europe/Rome")
    calendar.add("refresh-interval", UPDATED_EVERY, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT6H")
    for component in (ROME, *shown):
        calendar.add_component(component)
    content: bytes = calendar.to_ical(sorted=False)
    return content
