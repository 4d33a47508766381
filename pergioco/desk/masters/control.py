"""The control room: what waits for the director, the clock, the tables; and the same on the wall."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pergioco.desk.forms import UseCaseForm
from pergioco.desk.masters.listed import WHO, own_master
from pergioco.desk.masters.room import Room
from pergioco.players.models import User
from pergioco.players.policy import allow
from pergioco.players.refusal import Refused
from pergioco.stages.drafting import begin_correction
from pergioco.stages.models import Stage
from risiko_master import clock, finals, presence
from risiko_master.rules.clock import POSSIBLE

CONFLICT, UNFIT = 409, 422


class PressForm(UseCaseForm):
    game = forms.IntegerField(min_value=1, max_value=9, widget=forms.HiddenInput)
    what = forms.CharField(widget=forms.HiddenInput, max_length=6)
    seen = forms.ChoiceField(widget=forms.HiddenInput, choices=[(state, state) for state in POSSIBLE])
    reason = forms.CharField(label=gettext_lazy("Why the time stops"), required=False, max_length=300)


@allow(*WHO)
@require_safe
def control(request: HttpRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    if request.GET.get("screen") == "1":
        return screen(request, stage)
    return room_page(request, stage)


def room_page(request: HttpRequest, stage: Stage, press: PressForm | None = None) -> HttpResponse:
    room = Room(stage)
    values = {"stage": stage, "room": room, "press": press or PressForm(initial=pressable(room))}
    status = 200 if press is None else CONFLICT if press.is_outdated else UNFIT
    return render(request, "desk/masters/control.html", values, status=status)


def pressable(room: Room) -> dict[str, Any]:
    return {"game": room.current.number, "seen": room.clock.state} if room.current and room.clock else {}


def screen(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Everything on one wall: who looks at it sits there. It comes anew by its script, without it by a header."""
    theme = "light" if request.GET.get("theme") == "light" else "dark"
    values = {"stage": stage, "room": Room(stage), "now": timezone.localtime(), "screen_theme": theme}
    answer = render(request, "desk/masters/screen.html", values)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@allow(*WHO)
@require_POST
def press(request: HttpRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    form = PressForm(request.POST)

    def act(**typed: Any) -> None:
        clock.press(stage, clock.Pressed(**typed), by=cast("User", request.user))

    if form.carries_out(act):
        return redirect("risiko-control", stage.slug)
    return room_page(request, stage, form)


@allow(*WHO)
@require_POST
def close_doors(request: HttpRequest, slug: str) -> HttpResponse:
    """From here to the tables on the wall it is one step."""
    stage = own_master(request, slug)
    try:
        presence.close(stage, by=cast("User", request.user))
    except Refused as refused:
        messages.error(request, str(refused.sentence))
        return redirect("risiko-entries", stage.slug)
    messages.success(request, _("The tables of the first game are drawn, and everybody can see them."))
    return redirect("risiko-control", stage.slug)


@allow(*WHO)
@require_POST
def seat_finals(request: HttpRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    try:
        finals.seat(stage, by=cast("User", request.user))
    except Refused as refused:
        messages.error(request, str(refused.sentence))
    return redirect("risiko-control", stage.slug)


class CorrectForm(UseCaseForm):
    reason = forms.CharField(label=gettext_lazy("Why the results change"), max_length=2000)


@allow(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, slug: str) -> HttpResponse:
    """A Master that is closed is taken up again; until it is closed anew, what is public stays."""
    stage, by = own_master(request, slug), cast("User", request.user)
    form = CorrectForm(request.POST or None)
    if form.carries_out(lambda reason: begin_correction(stage, by=by, reason=reason)):
        messages.success(request, _("The correction has begun. Close the Master again when the results are right."))
        return redirect("risiko-control", stage.slug)
    return render(request, "desk/masters/correct.html", {"stage": stage, "form": form})
