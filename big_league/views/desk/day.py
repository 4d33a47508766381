"""The day of a BIG tournament for its organizer, from the seed to closing and corrections."""

from functools import partial
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from big_league import labels
from big_league.day_facts import Day, load_day
from big_league.models import Event, Final
from big_league.services import attendance, round_drawing
from big_league.views.desk.check_in import ORGANIZERS, attempt, own_event
from big_league.views.desk.day_parts import NamedDay, day_steps
from pergioco.core.forms import ReasonField, UseCaseForm
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.stages import facts
from pergioco.stages.forms import CloseForm
from pergioco.stages.models import Revision, Stage
from pergioco.stages.queries.results_grid import describe_findings
from pergioco.stages.rules import checking
from pergioco.stages.services import closing, drafting, pairing


@allow(Role.STAFF)
@require_POST
def open_day_of_final(request: UserRequest, number: int) -> HttpResponse:
    event = attendance.open_final_day(get_object_or_404(Final, pk=number), by=request.user)
    return redirect("desk-big-check-in", event.pk)


def own_event_day(request: UserRequest, number: int) -> tuple[Event, Day]:
    event = own_event(request, number)
    return event, load_day(attendance.homologated_stage(event))


@allow(*ORGANIZERS)
@require_safe
def day_page(request: UserRequest, number: int) -> HttpResponse:
    event, one = own_event_day(request, number)
    shown = NamedDay(one)
    values = {
        "event": event,
        "stage": one.stage,
        "day": one,
        "steps": day_steps(event, one, "day"),
        "rounds": shown.rounds(),
        "standings": shown.standings() if one.facts else [],
        "advice": labels.rounds_advice(one, one.table_size) if one.field else "",
    }
    return render(request, "big_league/desk/day.html", values)


@allow(*ORGANIZERS)
@require_safe
def wall_page(request: UserRequest, number: int, round_: int) -> HttpResponse:
    # Full names: everyone in the hall knows each other.
    event, one = own_event_day(request, number)
    row = NamedDay(one).find_round(round_)
    tables = row.tables if row else []
    by_name = sorted((seat.name, table.number) for table in tables for seat in table.seats)
    values = {
        "event": event,
        "stage": one.stage,
        "round": row,
        "by_name": by_name,
        "number": round_,
    }
    return render(request, "big_league/desk/wall.html", values)


@allow(*ORGANIZERS)
@require_POST
def draw_day_seed(request: UserRequest, number: int) -> HttpResponse:
    event = own_event(request, number)
    pairing.draw_seed(attendance.homologated_stage(event), by=request.user)
    return redirect("desk-big-draw", event.pk)


@allow(*ORGANIZERS)
@require_POST
def remove_round(request: UserRequest, number: int, round_: int) -> HttpResponse:
    event = own_event(request, number)
    stage, by = attendance.homologated_stage(event), request.user
    attempt(request, partial(round_drawing.remove_played_round, stage, number=round_, by=by))
    return redirect("desk-big-day", event.pk)


@allow(*ORGANIZERS)
@require_POST
def leave_after_round(request: UserRequest, number: int, signup: int) -> HttpResponse:
    event, one = own_event_day(request, number)
    row = get_object_or_404(
        event.signups.filter(presence="present").select_related("player__merged_into"), pk=signup
    )
    player = row.player.merged_into or row.player if row.player else None
    round_ = None if "back" in request.POST else len(one.facts)
    if player is not None:
        by = request.user
        if attempt(
            request, partial(attendance.withdraw_after, event, player, round_=round_, by=by)
        ):
            messages.success(request, _("Saved."))
    return redirect("desk-big-check-in", event.pk)


class CorrectionForm(UseCaseForm):
    reason = ReasonField(label=gettext_lazy("Why the results change"))


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def close_day(request: UserRequest, number: int) -> HttpResponse:
    event, day = own_event_day(request, number)
    form = CloseForm(request.POST or None)
    if form.carries_out(partial(close_with_message, request, day.stage)):
        return redirect("desk-big-day", event.pk)
    values = closing_values(event, day) | {"form": form}
    status = HTTPStatus.CONFLICT if form.is_outdated else HTTPStatus.OK
    return render(request, "big_league/desk/close.html", values, status=status)


def close_with_message(request: UserRequest, stage: Stage, *, revision: int, sha256: str) -> None:
    made = closing.close_stage(stage, by=request.user, revision=revision, sha256=sha256)
    if made.state == Revision.State.WAITING:
        messages.success(
            request, _("Proposed. A second person has to approve it; until then nothing changes.")
        )
    else:
        messages.success(request, _("Closed: the league is being published."))


def closing_values(event: Event, day: Day) -> dict[str, Any]:
    shown = NamedDay(day)
    found = closing.check_revision(day.draft) if day.draft else []
    return {
        "event": event,
        "stage": day.stage,
        "day": day,
        "steps": day_steps(event, day, "close"),
        "draft": day.draft,
        "findings": describe_findings(found, shown.names),
        "may_close": day.draft is not None and checking.may_close(found),
        "seal": facts.hash_rounds(day.facts),
        "standings": shown.standings() if day.facts else [],
    }


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def correct_results(request: UserRequest, number: int) -> HttpResponse:
    event, day = own_event_day(request, number)
    form = CorrectionForm(request.POST or None)
    by = request.user
    if form.carries_out(lambda reason: drafting.begin_correction(day.stage, by=by, reason=reason)):
        return redirect("desk-big-day", event.pk)
    return render(
        request, "big_league/desk/correct.html", {"event": event, "stage": day.stage, "form": form}
    )
