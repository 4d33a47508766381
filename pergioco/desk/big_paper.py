"""What is printed for the venue: badges, who sits where with room for the scores, and the numbered seats of a final."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from big_league.events.models import Event, SignUp
from big_league.finals.models import Final, FinalSeat
from big_league.finals.standing import desk_of
from pergioco.desk.big_check_in import ORGANIZERS, Row, rows_of
from pergioco.desk.big_day import own_day
from pergioco.desk.big_showing import Shown
from pergioco.players.models import Person, Player
from pergioco.players.naming import name_for_staff
from pergioco.players.policy import Role, allow


@dataclass(frozen=True)
class Badge:
    first_name: str
    last_name: str
    city: str = ""
    seat: int | None = None


@allow(*ORGANIZERS)
@require_safe
def badges(request: HttpRequest, number: int) -> HttpResponse:
    """Of everybody who is expected or there; not of those who wait for a seat."""
    event, day = own_day(request, number)
    coming = [row for row in rows_of(event, day) if not row.place and row.signup.presence != SignUp.Presence.ABSENT]
    values = about(event) | {"badges": list(map(badge_of, coming)), "event": event}
    return render(request, "desk/badges.html", values)


def about(meeting: Event | Final) -> dict[str, Any]:
    return {"stage": meeting.stage, "meeting": meeting}


def badge_of(row: Row) -> Badge:
    signup = row.signup
    if signup.player is None:
        return Badge(signup.first_name, signup.last_name)
    return badge(signup.player.merged_into or signup.player)


def badge(player: Player, seat: int | None = None) -> Badge:
    person: Person | None = getattr(player, "person", None)
    if person is None:
        return Badge(name_for_staff(player), "", seat=seat)
    return Badge(person.first_name, person.last_name, person.city, seat)


@allow(*ORGANIZERS)
@require_safe
def score_sheets(request: HttpRequest, number: int, round_: int) -> HttpResponse:
    """Table by table the order in which they sit, and boxes for a pen."""
    event, day = own_day(request, number)
    row = next((one for one in Shown(day).rounds() if one.number == round_), None)
    if row is None:
        raise Http404
    has_auction = bool(day.sheet and day.sheet.auction)
    return render(request, "desk/big_sheets.html", about(event) | {"event": event, "round": row, "bids": has_auction})


@allow(Role.STAFF)
@require_safe
def final_badges(request: HttpRequest, number: int) -> HttpResponse:
    final = get_object_or_404(Final.objects.listed(), pk=number)
    values = about(final) | {"badges": [badge(seat.player, seat.number) for seat in seats_of(final)], "final": final}
    return render(request, "desk/badges.html", values)


@allow(Role.STAFF)
@require_safe
def final_seats(request: HttpRequest, number: int) -> HttpResponse:
    final = get_object_or_404(Final.objects.listed(), pk=number)
    desk = desk_of(final)
    said = {row.player.pk: row.last for row in [*desk.called, *desk.others]}
    rows = [(seat, brings_box(said.get(seat.player_id))) for seat in seats_of(final)]
    return render(request, "desk/final_seats.html", about(final) | {"rows": rows, "final": final})


def seats_of(final: Final) -> list[FinalSeat]:
    rows = final.taken.select_related("player__person").prefetch_related("player__accounts__nicknames")
    return list(rows.order_by("number"))


def brings_box(answer: Any) -> bool:
    return bool(answer and answer.brings_box)
