"""The calendar as iCalendar files: all or what was asked for, a player's own, one stage."""

from dataclasses import replace

from django.db.models import Max, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from pergioco.players import calendar_links
from pergioco.players.models import Player
from pergioco.players.policy import everyone
from pergioco.stages.models import Entry, Revision, Season, Seat, Stage
from pergioco.website.calendar import rfc5545
from pergioco.website.calendar.asking import CalendarForm
from pergioco.website.calendar.events import events
from pergioco.website.calendar.fixtures import race_numbers
from pergioco.website.page_cache import versioned


@everyone
@versioned
@require_safe
@conditional_page
def asked(request: HttpRequest) -> HttpResponse:
    """The last two seasons on the calendar and whatever follows. An unknown game is no calendar that stays empty."""
    form = CalendarForm(request.GET)
    if not form.is_valid():
        raise Http404
    return as_file(_("PerGioco calendar"), recent(form.stages()))


@everyone
@require_safe
@conditional_page
def mine(request: HttpRequest, token: str) -> HttpResponse:
    """Calendar apps cannot sign in: whoever has the address reads it, and it holds nothing but the public calendar."""
    player = calendar_links.player_behind(token)
    if player is None:
        raise Http404
    answer = as_file(_("My PerGioco calendar"), recent(stages_of(player)))
    answer["X-Robots-Tag"] = "noindex"
    answer["Cache-Control"] = "private, no-cache"
    return answer


@everyone
@versioned
@require_safe
@conditional_page
def one(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    """“?remind=1”: the same event, with an alarm. Only here: nobody subscribes to be rung at by all."""
    stage = get_object_or_404(Stage, season__year=year, slug=slug)
    reminds = request.GET.get("remind") == "1"
    answer = as_file(stage.game.name, Stage.objects.filter(pk=stage.pk), reminds=reminds)
    answer["Content-Disposition"] = f'attachment; filename="{stage.slug}.ics"'
    return answer


def recent(stages: QuerySet[Stage]) -> QuerySet[Stage]:
    last = Season.objects.aggregate(year=Max("year"))["year"] or 0
    return stages.filter(season__year__gte=last - 1)


def stages_of(player: Player) -> QuerySet[Stage]:
    """Those that the player is entered in, and the coming ones of the games that the player has played."""
    own = Q(player=player) | Q(player__merged_into=player)
    seats = Seat.objects.filter(own, table__round__revision__state=Revision.State.CURRENT)
    played = seats.values("table__round__revision__stage__game")
    is_coming = Q(status__in=(Stage.Status.PLANNED, Stage.Status.OPEN, Stage.Status.CANCELLED))
    entered = Entry.objects.filter(own).values("stage")
    return Stage.objects.filter(Q(pk__in=entered) | Q(is_coming, game__in=played))


def as_file(name: str, stages: QuerySet[Stage], *, reminds: bool = False) -> HttpResponse:
    shown = (
        stages.select_related("game", "season", "big_event__stage", "big_final__stage")
        .prefetch_related("date_changes")
        .order_by("starts_on", "id")
    )
    found = list(shown)
    numbers = race_numbers({stage.season_id for stage in found if stage.race})
    shown_events = (replace(event, reminds=reminds) for event in events(found, numbers))
    content = rfc5545.calendar(name, shown_events)
    answer = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = 'inline; filename="pergioco.ics"'
    return answer
