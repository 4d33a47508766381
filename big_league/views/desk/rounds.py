"""The next round of a BIG tournament: preview, opening, and a swap of two players."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from big_league import day_facts, labels
from big_league.day_facts import Day
from big_league.models import Event
from big_league.services import round_drawing
from big_league.services.round_drawing import Proposal, Wish
from big_league.views.desk.check_in import ORGANIZERS
from big_league.views.desk.day import own_event_day
from big_league.views.desk.day_parts import NamedDay, day_steps
from pergioco.core.policy import UserRequest, allow
from pergioco.core.refusal import Refused
from pergioco.stages.forms import SwapForm

MOST_AT_A_TABLE = 7
MOST_QUALIFIED = 128


class WishForm(forms.Form):
    size = forms.TypedChoiceField(
        label=gettext_lazy("Players at a table"),
        choices=[(n, n) for n in range(2, MOST_AT_A_TABLE + 1)],
        coerce=int,
    )
    final = forms.BooleanField(
        label=gettext_lazy("The final phases begin with this round"), required=False
    )
    qualified = forms.IntegerField(
        label=gettext_lazy("How many go on to the final phases"),
        min_value=2,
        max_value=MOST_QUALIFIED,
        required=False,
        widget=forms.TextInput({"inputmode": "numeric", "size": "3"}),
    )

    def wish(self) -> Wish:
        """Falls back to the initial values if the form is invalid."""
        values = self.cleaned_data if self.is_bound and self.is_valid() else self.initial
        return Wish(values["size"], values["qualified"] or 0 if values.get("final") else 0)


def wish_form(day: Day, sent: Any) -> WishForm:
    wanted = str(sent.get("size", ""))
    size = int(wanted) if wanted in map(str, range(2, MOST_AT_A_TABLE + 1)) else day.table_size
    initial = {"size": size, "qualified": day_facts.usual_qualified(day, size), "final": False}
    form = WishForm(sent or None, initial=initial)
    if not day.rounds or day.is_eliminating:
        del form.fields["final"], form.fields["qualified"]
    return form


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def draw_round(request: UserRequest, number: int) -> HttpResponse:
    event, day = own_event_day(request, number)
    form = wish_form(day, request.POST if request.method == "POST" else request.GET)
    if request.method != "POST":
        return render_draw(request, event, day, form)
    try:
        by, seal = request.user, request.POST.get("sha256", "")
        round_drawing.open_drawn_round(day.stage, form.wish(), by=by, sha256=seal)
    except Refused as refusal:
        event, day = own_event_day(request, number)
        return render_draw(request, event, day, form, refusal)
    messages.success(request, _("Round %(n)s is open.") % {"n": day.next_number})
    return redirect("desk-big-day", event.pk)


def render_draw(
    request: HttpRequest, event: Event, day: Day, form: WishForm, trouble: Refused | None = None
) -> HttpResponse:
    wish = form.wish()
    case, is_printed = (
        labels.describe_opening(day, wish.size, wish.qualified) if wish.qualified else ("", False)
    )
    values = {
        "event": event,
        "stage": day.stage,
        "day": day,
        "steps": day_steps(event, day, "draw"),
        "form": form,
        "wish": wish,
        "advice": labels.rounds_advice(day, wish.size) if day.field else "",
        "cases": labels.format_cases(day, wish.size) if day.rounds else [],
        "case": case,
        "is_printed": is_printed,
        "trouble": str(trouble.sentence) if trouble else "",
        **proposal_values(day, wish),
    }
    status = trouble.status if trouble else HTTPStatus.OK
    return render(request, "big_league/desk/draw.html", values, status=status)


def proposal_values(day: Day, wish: Wish) -> dict[str, Any]:
    try:
        proposal = round_drawing.propose_round(day, wish)
    except Refused as refusal:
        return {"refusal": str(refusal.sentence)}
    return {
        "proposal": proposal,
        "phase": labels.phase_text(proposal.phase),
        **proposal_names(day, proposal),
    }


def proposal_names(day: Day, proposal: Proposal) -> dict[str, Any]:
    names = NamedDay(day).names
    heads = set(proposal.heads)
    return {
        "tables": [
            [(names[player], player in heads) for player in table] for table in proposal.tables
        ],
        "waiting": [names[player] for player in proposal.waiting],
        "repeated": [" – ".join(names[player] for player in pair) for pair in proposal.repeated],
    }


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def swap_in_round(request: UserRequest, number: int) -> HttpResponse:
    event, day = own_event_day(request, number)
    if not day.facts or day.stage.is_closed:
        raise Http404
    names = NamedDay(day).names
    seated = {
        seat.player: names[seat.player] for table in day.facts[-1].tables for seat in table.seats
    }
    form = SwapForm(request.POST or None, seated=seated)
    by = request.user
    if form.carries_out(
        lambda first, second, reason: round_drawing.swap_seated(
            day.stage, players=(first, second), by=by, reason=reason
        )
    ):
        messages.success(request, _("The two have changed places."))
        return redirect("desk-big-day", event.pk)
    values = {"event": event, "stage": day.stage, "form": form, "round": len(day.facts)}
    return render(request, "big_league/desk/swap.html", values)
