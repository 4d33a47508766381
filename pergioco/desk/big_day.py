"""The day of a BIG tournament, for its organizer: where it stands, and what is missing for the next step."""

from functools import partial
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from big_league.day import checking_in, drawing, of_final, words
from big_league.day.reading import Day, day_of
from big_league.events.models import Event
from big_league.finals.models import Final
from pergioco.desk.big_check_in import ORGANIZERS, attempt, own_event
from pergioco.desk.big_showing import Shown, is_correction, steps_of
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.stages import pairing


@allow(Role.STAFF)
@require_POST
def final_day(request: HttpRequest, number: int) -> HttpResponse:
    """From the list of a national final to its check-in."""
    event = of_final.open_day(get_object_or_404(Final, pk=number), by=cast("User", request.user))
    return redirect("desk-big-check-in", event.pk)


def own_day(request: HttpRequest, number: int) -> tuple[Event, Day]:
    event = own_event(request, number)
    return event, day_of(checking_in.stage_of(event))


@allow(*ORGANIZERS)
@require_safe
def day(request: HttpRequest, number: int) -> HttpResponse:
    event, one = own_day(request, number)
    shown = Shown(one)
    values = {
        "event": event,
        "stage": one.stage,
        "day": one,
        "steps": steps_of(event, one, "day"),
        "rounds": shown.rounds(),
        "standings": shown.standings() if one.facts else [],
        "advice": words.advice(one, one.table_size) if one.field else "",
        "is_correction": is_correction(one),
        "may_write": one.revision is not None and one.revision.state == "draft",
    }
    return render(request, "desk/big_day.html", values)


@allow(*ORGANIZERS)
@require_safe
def wall(request: HttpRequest, number: int, round_: int) -> HttpResponse:
    """Who sits where, by table and by name, to print or to project in the hall: everybody there knows each other."""
    event, one = own_day(request, number)
    row = next((r for r in Shown(one).rounds() if r.number == round_), None)
    rounds = [row] if row else []
    by_name = sorted((seat.name, table.number) for r in rounds for table in r.tables for seat in table.seats)
    values = {"event": event, "stage": one.stage, "round": row, "by_name": by_name, "number": round_}
    return render(request, "desk/big_wall.html", values)


@allow(*ORGANIZERS)
@require_POST
def seed(request: HttpRequest, number: int) -> HttpResponse:
    event = own_event(request, number)
    pairing.draw_seed(checking_in.stage_of(event), by=cast("User", request.user))
    return redirect("desk-big-draw", event.pk)


@allow(*ORGANIZERS)
@require_POST
def remove(request: HttpRequest, number: int, round_: int) -> HttpResponse:
    """The last round, with what was typed there; the draft before is kept."""
    event = own_event(request, number)
    stage, by = checking_in.stage_of(event), cast("User", request.user)
    attempt(request, partial(drawing.remove_last, stage, number=round_, by=by))
    return redirect("desk-big-day", event.pk)


@allow(*ORGANIZERS)
@require_POST
def leave(request: HttpRequest, number: int, signup: int) -> HttpResponse:
    """No more tables after the round that is played, or back again."""
    event, one = own_day(request, number)
    row = get_object_or_404(event.signups.filter(presence="present").select_related("player__merged_into"), pk=signup)
    player = row.player.merged_into or row.player if row.player else None
    round_ = None if "back" in request.POST else len(one.facts)
    if player is not None:
        by = cast("User", request.user)
        if attempt(request, partial(checking_in.leave_after, event, player, round_=round_, by=by)):
            messages.success(request, _("Saved."))
    return redirect("desk-big-check-in", event.pk)
