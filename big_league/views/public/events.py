"""The public page of an event with its results, and its poster."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from big_league import labels
from big_league.day_facts import Day
from big_league.forms import BoxForm
from big_league.labels import event_status_text
from big_league.links import signup_token
from big_league.models import Event, Final, SignUp
from big_league.rules.standings import Seat, seat_results
from big_league.services import sign_ups
from big_league.services.sign_ups import EventStatus, event_status, takes_signups
from pergioco.core.addresses import absolute_url
from pergioco.core.displays import draw_qr_code, is_screen
from pergioco.core.models import User
from pergioco.core.policy import everyone
from pergioco.players.models import Person, Player
from pergioco.players.models.people import naming_paths
from pergioco.rulekit.numbers import half_up
from pergioco.stages.facts import SeatFacts, TableFacts
from pergioco.stages.queries import stage_page, stage_tables
from pergioco.stages.queries.stage_view import (
    Participant,
    StageView,
    name_participants,
    stages_for_view,
)

MAP = "https://www.openstreetmap.org/search"


@everyone
@require_safe
def event_page(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_homologated(slug)
    seen = load_stage_seen(found)
    if is_screen(request) and (wall := stage_page.show_standings_screen(request, seen)):
        return wall
    values = event_values(found)
    if values["takes_signups"]:
        values |= own_sign_up_values(request, found)
    else:
        values |= results_values(request, seen)
    return render(request, "big_league/events/event.html", values)


@everyone
@require_safe
def event_poster(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_homologated(slug)
    link = absolute_url(reverse("big-event", args=[slug]))
    return render(
        request,
        "big_league/events/poster.html",
        event_values(found) | {"link": link, "qr": draw_qr_code(link)},
    )


def get_homologated(slug: str) -> Event:
    return get_object_or_404(Event.objects.homologated(), stage__slug=slug)


def load_stage_seen(event: Event) -> StageView:
    assert event.stage is not None
    seen = StageView(stages_for_view().get(pk=event.stage.pk), today=timezone.localdate())
    event.stage = seen.stage
    return seen


def event_values(event: Event) -> dict[str, Any]:
    now = timezone.now()
    standing, line = event_status(event, now), sign_ups.read_waiting_line(event)
    seated = len(line.seated)
    return {
        "event": event,
        "stage": event.stage,
        "games": list(event.games.all()),
        "standing": standing,
        "is_full": standing == EventStatus.OPEN and seated == event.capacity,
        "standing_words": event_status_text(event, standing, line),
        "takes_signups": takes_signups(event, now),
        "signed_up": seated,
        "waiting": len(line.waiting),
        "seats_left": None if event.capacity is None else event.capacity - seated,
        "map_link": map_link(event),
    }


def map_link(meeting: Event | Final) -> str:
    return f"{MAP}?{urlencode({'query': f'{meeting.address}, {meeting.city}'})}"


def signed_in_person(request: HttpRequest) -> Person | None:
    user = request.user
    return (
        Person.objects.filter(user=user).select_related("player").first()
        if isinstance(user, User)
        else None
    )


def own_sign_up_values(request: HttpRequest, event: Event) -> dict[str, Any]:
    person = signed_in_person(request)
    own = (
        SignUp.objects.coming().filter(event=event, player=person.player).first()
        if person
        else None
    )
    if own is not None:
        return {
            "own": own,
            "own_place": sign_ups.read_waiting_line(event).place_of(own.pk),
            "token": signup_token(own),
        }
    return {"person": person, "form": BoxForm()} if person else {}


WITH_NAMES = ("player__merged_into", *naming_paths("player", "player__merged_into"))


@dataclass(frozen=True)
class SeatRow:
    who: Participant
    score: Decimal | None
    bid: Decimal | None
    timed_out: bool
    place: int | None
    points: Decimal | None


def results_values(request: HttpRequest, seen: StageView) -> dict[str, Any]:
    """Empty before the first round; exports once the stage is closed."""
    day = Day(seen.stage, seen.revision)
    if not day.facts:
        return {}
    people = entered_participants(request, day)
    rounds = [
        (
            one.number,
            labels.phase_text(one.phase),
            [
                (table.number, table_seat_rows(day, one.number, table, people))
                for table in one.tables
            ],
        )
        for one in reversed(day.facts)
    ]
    values = {"rounds": rounds, "order": stage_tables.big_order(day, people)}
    return values | stage_page.exports_context(seen, values) if seen.stage.is_closed else values


def entered_participants(request: HttpRequest, day: Day) -> Mapping[int, Participant]:
    # A merged player is shown as the one that stays.
    rows = day.stage.entries.select_related(*WITH_NAMES)
    players: dict[int, Player] = {
        row.player_id: row.player.merged_into or row.player for row in rows
    }
    shown = name_participants(players.values(), day.stage.circuit, reader=request.user)
    return {pk: shown[player.pk] for pk, player in players.items()}


def table_seat_rows(
    day: Day, round_: int, table: TableFacts, people: Mapping[int, Participant]
) -> list[SeatRow]:
    is_missing = table.number in day.missing(round_)
    given = {} if is_missing else seat_results(day.rounds[round_ - 1], day.edition)
    return [build_seat_row(one, given.get(one.player), people[one.player]) for one in table.seats]


def build_seat_row(one: SeatFacts, got: Seat | None, who: Participant) -> SeatRow:
    place, points = (got.place, half_up(got.points, 2)) if got else (None, None)
    return SeatRow(who, one.score, one.bid, one.timed_out, place, points)
