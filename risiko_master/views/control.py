"""The director's control room: clock, doors, finals, wall lists, closing and correcting a
Master."""

from functools import partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pergioco.core.formats import format_thousandths
from pergioco.core.forms import UseCaseForm, carry_out
from pergioco.core.policy import UserRequest, allow
from pergioco.rulekit.text import fold
from pergioco.stages import facts
from pergioco.stages.forms import CloseForm
from pergioco.stages.models import Stage
from pergioco.stages.queries.results_grid import describe_findings
from pergioco.stages.rules import checking
from pergioco.stages.services import closing
from pergioco.stages.services.drafting import begin_correction
from risiko_master.rules.clock import POSSIBLE
from risiko_master.services import clock, finals, presence
from risiko_master.views.own_masters import DIRECTORS, own_master
from risiko_master.views.room import Room


class PressForm(UseCaseForm):
    game = forms.IntegerField(min_value=1, max_value=9, widget=forms.HiddenInput)
    what = forms.CharField(widget=forms.HiddenInput, max_length=6)
    seen = forms.ChoiceField(
        widget=forms.HiddenInput, choices=[(state, state) for state in POSSIBLE]
    )
    reason = forms.CharField(
        label=gettext_lazy("Why the time stops"), required=False, max_length=300
    )


@allow(*DIRECTORS)
@require_safe
def control_room(request: UserRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    if request.GET.get("screen") == "1":
        return render_screen(request, stage)
    return render_room(request, stage)


def render_room(request: HttpRequest, stage: Stage, press: PressForm | None = None) -> HttpResponse:
    room = Room(stage)
    press = press or PressForm(initial=press_initial(room))
    values = {"stage": stage, "room": room, "press": press}
    return render(request, "risiko_master/desk/control.html", values, status=press.status)


def press_initial(room: Room) -> dict[str, Any]:
    return (
        {"game": room.current.number, "seen": room.clock.state}
        if room.current and room.clock
        else {}
    )


def render_screen(request: HttpRequest, stage: Stage) -> HttpResponse:
    # The page refreshes by script, or by a header without it.
    theme = "light" if request.GET.get("theme") == "light" else "dark"
    values = {
        "stage": stage,
        "room": Room(stage),
        "now": timezone.localtime(),
        "screen_theme": theme,
    }
    answer = render(request, "risiko_master/desk/screen.html", values)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@allow(*DIRECTORS)
@require_POST
def press_clock_page(request: UserRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    form = PressForm(request.POST)

    def act(**typed: Any) -> None:
        clock.press_clock(stage, clock.Pressed(**typed), by=request.user)

    if form.carries_out(act):
        return redirect("risiko-control", stage.slug)
    return render_room(request, stage, form)


@allow(*DIRECTORS)
@require_POST
def close_doors_page(request: UserRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    if not carry_out(request, partial(presence.close_doors, stage, by=request.user)):
        return redirect("risiko-entries", stage.slug)
    messages.success(
        request, _("The tables of the first game are drawn, and everybody can see them.")
    )
    return redirect("risiko-control", stage.slug)


@allow(*DIRECTORS)
@require_POST
def seat_finals_page(request: UserRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    carry_out(request, partial(finals.seat_finals, stage, by=request.user))
    return redirect("risiko-control", stage.slug)


class CorrectForm(UseCaseForm):
    reason = forms.CharField(label=gettext_lazy("Why the results change"), max_length=2000)


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def correct_master(request: UserRequest, slug: str) -> HttpResponse:
    stage, by = own_master(request, slug), request.user
    form = CorrectForm(request.POST or None)
    if form.carries_out(lambda reason: begin_correction(stage, by=by, reason=reason)):
        messages.success(
            request,
            _("The correction has begun. Close the Master again when the results are right."),
        )
        return redirect("risiko-control", stage.slug)
    return render(request, "risiko_master/desk/correct.html", {"stage": stage, "form": form})


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def close_master(request: UserRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    room = Room(stage)
    if room.draft is None:
        messages.info(request, _("This Master has no draft to close."))
        return redirect("risiko-control", stage.slug)
    form = CloseForm(request.POST or None)
    if room.is_played and form.carries_out(
        lambda **seen: closing.close_stage(stage, by=request.user, **seen)
    ):
        messages.success(request, _("Closed: the final ranking is being published."))
        return redirect("risiko-control", stage.slug)
    values = closing_values(stage, room) | {"form": form}
    status = HTTPStatus.CONFLICT if form.is_outdated else HTTPStatus.OK
    return render(request, "risiko_master/desk/close.html", values, status=status)


def closing_values(stage: Stage, room: Room) -> dict[str, Any]:
    assert room.draft is not None
    found = closing.check_revision(room.draft)
    stops = [one for one in found if one.weight == checking.Weight.STOP]
    return {
        "stage": stage,
        "room": room,
        "draft": room.draft,
        "seal": facts.hash_rounds(facts.read_rounds(room.draft)),
        "findings": describe_findings(stops, room.names),
        "may_close": room.is_played and checking.may_close(found),
        "rows": final_rows(room) if room.is_played else [],
    }


def final_rows(room: Room) -> list[tuple[int, str, str]]:
    return [
        (one.rank, room.names[one.row.player], format_thousandths(one.row.record.total))
        for one in room.live.final
    ]


@allow(*DIRECTORS)
@require_safe
def wall_page(request: UserRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    room = Room(stage)
    if room.current is None:
        raise Http404
    names = [(seat.name, card.number) for card in room.cards for seat in card.seats]
    values = {"stage": stage, "room": room, "names": sorted(names, key=lambda row: fold(row[0]))}
    return render(request, "risiko_master/desk/wall.html", values)
