"""Paper for the venue: badges, score sheets, and the numbered seats of a final."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from big_league.models import Event, Final, FinalSeat, SignUp
from big_league.services.final_seats import build_call_list
from big_league.views.desk.check_in import ORGANIZERS, CheckInRow, check_in_rows
from big_league.views.desk.day import own_event_day
from big_league.views.desk.day_parts import NamedDay
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.players.models import Person, Player
from pergioco.players.naming import name_for_staff


@dataclass(frozen=True)
class Badge:
    first_name: str
    last_name: str
    city: str = ""
    seat: int | None = None


@allow(*ORGANIZERS)
@require_safe
def event_badges(request: UserRequest, number: int) -> HttpResponse:
    # Not for players on the waiting list.
    event, day = own_event_day(request, number)
    coming = [
        row
        for row in check_in_rows(event, day)
        if not row.place and row.signup.presence != SignUp.Presence.ABSENT
    ]
    values = meeting_values(event) | {"badges": list(map(signup_badge, coming)), "event": event}
    return render(request, "big_league/desk/badges.html", values)


def meeting_values(meeting: Event | Final) -> dict[str, Any]:
    return {"stage": meeting.stage, "meeting": meeting}


def signup_badge(row: CheckInRow) -> Badge:
    signup = row.signup
    if signup.player is None:
        return Badge(signup.first_name, signup.last_name)
    return player_badge(signup.player.merged_into or signup.player)


def player_badge(player: Player, seat: int | None = None) -> Badge:
    person: Person | None = getattr(player, "person", None)
    if person is None:
        return Badge(name_for_staff(player), "", seat=seat)
    return Badge(person.first_name, person.last_name, person.city, seat)


@allow(*ORGANIZERS)
@require_safe
def score_sheets(request: UserRequest, number: int, round_: int) -> HttpResponse:
    event, day = own_event_day(request, number)
    row = NamedDay(day).find_round(round_)
    if row is None:
        raise Http404
    has_auction = bool(day.sheet and day.sheet.auction)
    return render(
        request,
        "big_league/desk/sheets.html",
        meeting_values(event) | {"event": event, "round": row, "bids": has_auction},
    )


@allow(Role.STAFF)
@require_safe
def final_badges(request: HttpRequest, number: int) -> HttpResponse:
    final = get_object_or_404(Final.objects.listed(), pk=number)
    values = meeting_values(final) | {
        "badges": [player_badge(seat.player, seat.number) for seat in numbered_seats(final)],
        "final": final,
    }
    return render(request, "big_league/desk/badges.html", values)


@allow(Role.STAFF)
@require_safe
def final_seat_list(request: HttpRequest, number: int) -> HttpResponse:
    final = get_object_or_404(Final.objects.listed(), pk=number)
    desk = build_call_list(final)
    said = {row.player.pk: row.last for row in [*desk.called, *desk.others]}
    rows = [(seat, brings_box(said.get(seat.player_id))) for seat in numbered_seats(final)]
    return render(
        request,
        "big_league/desk/final_seats.html",
        meeting_values(final) | {"rows": rows, "final": final},
    )


def numbered_seats(final: Final) -> list[FinalSeat]:
    rows = final.taken.select_related("player__person").prefetch_related(
        "player__accounts__nicknames"
    )
    return list(rows.order_by("number"))


def brings_box(answer: Any) -> bool:
    return bool(answer and answer.brings_box)
