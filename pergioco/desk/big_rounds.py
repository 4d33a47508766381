"""The next round of a BIG tournament: how it would be, and the button that opens it; two players change places."""

from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from big_league.day import drawing, words
from big_league.day.drawing import Proposal, Wish
from big_league.day.reading import Day
from big_league.events.models import Event
from pergioco.desk.big_check_in import ORGANIZERS
from pergioco.desk.big_day import own_day
from pergioco.desk.big_showing import Shown, steps_of
from pergioco.desk.pairings import SwapForm
from pergioco.players.models import User
from pergioco.players.policy import allow
from pergioco.players.refusal import Outdated, Refused

MOST_AT_A_TABLE = 7
MOST_QUALIFIED = 128


class WishForm(forms.Form):
    size = forms.TypedChoiceField(
        label=gettext_lazy("Players at a table"),
        choices=[(n, n) for n in range(2, MOST_AT_A_TABLE + 1)],
        coerce=int,
    )
    final = forms.BooleanField(label=gettext_lazy("The final phases begin with this round"), required=False)
    qualified = forms.IntegerField(
        label=gettext_lazy("How many go on to the final phases"),
        min_value=2,
        max_value=MOST_QUALIFIED,
        required=False,
        widget=forms.TextInput({"inputmode": "numeric", "size": "3"}),
    )

    def wish(self) -> Wish:
        """As it was sent; what cannot be meant falls back to what the form began with."""
        values = self.cleaned_data if self.is_bound and self.is_valid() else self.initial
        return Wish(values["size"], values["qualified"] or 0 if values.get("final") else 0)


def form_for(day: Day, sent: Any) -> WishForm:
    """Begins with the table of the round before, and with as many qualified as the rules say."""
    wanted = str(sent.get("size", ""))
    size = int(wanted) if wanted in map(str, range(2, MOST_AT_A_TABLE + 1)) else day.table_size
    initial = {"size": size, "qualified": words.usual_qualified(day, size), "final": False}
    form = WishForm(sent or None, initial=initial)
    if not day.rounds or day.is_eliminating:
        del form.fields["final"], form.fields["qualified"]
    return form


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, number: int) -> HttpResponse:
    """Looked at first; saved only if nothing it was drawn from changed."""
    event, day = own_day(request, number)
    form = form_for(day, request.POST if request.method == "POST" else request.GET)
    if request.method != "POST":
        return page(request, event, day, form)
    try:
        by, seal = cast("User", request.user), request.POST.get("sha256", "")
        drawing.accept(day.stage, form.wish(), by=by, sha256=seal)
    except Refused as refusal:
        event, day = own_day(request, number)
        return page(request, event, day, form, refusal)
    messages.success(request, _("Round %(n)s is open.") % {"n": day.next_number})
    return redirect("desk-big-day", event.pk)


def page(request: HttpRequest, event: Event, day: Day, form: WishForm, trouble: Refused | None = None) -> HttpResponse:
    wish = form.wish()
    case, is_printed = words.in_force(day, wish.size, wish.qualified) if wish.qualified else ("", False)
    values = {
        "event": event,
        "stage": day.stage,
        "day": day,
        "steps": steps_of(event, day, "draw"),
        "form": form,
        "wish": wish,
        "advice": words.advice(day, wish.size) if day.field else "",
        "cases": words.cases(day, wish.size) if day.rounds else [],
        "case": case,
        "is_printed": is_printed,
        "trouble": str(trouble.sentence) if trouble else "",
        **proposal_for(day, wish),
    }
    return render(request, "desk/big_draw.html", values, status=status_of(trouble))


def status_of(trouble: Refused | None) -> int:
    if trouble is None:
        return HTTPStatus.OK
    return HTTPStatus.CONFLICT if isinstance(trouble, Outdated) else HTTPStatus.UNPROCESSABLE_ENTITY


def proposal_for(day: Day, wish: Wish) -> dict[str, Any]:
    try:
        proposal = drawing.propose(day, wish)
    except Refused as refusal:
        return {"refusal": str(refusal.sentence)}
    return {"proposal": proposal, "phase": words.phase(proposal.phase), **named(day, proposal)}


def named(day: Day, proposal: Proposal) -> dict[str, Any]:
    names = Shown(day).names
    heads = set(proposal.heads)
    return {
        "tables": [[(names[player], player in heads) for player in table] for table in proposal.tables],
        "waiting": [names[player] for player in proposal.waiting],
        "repeated": [" – ".join(names[player] for player in pair) for pair in proposal.repeated],
    }


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def swap(request: HttpRequest, number: int) -> HttpResponse:
    event, day = own_day(request, number)
    if not day.facts or day.stage.is_closed:
        raise Http404
    names = Shown(day).names
    seated = {seat.player: names[seat.player] for table in day.facts[-1].tables for seat in table.seats}
    form = SwapForm(request.POST or None, seated=seated)
    by = cast("User", request.user)
    if form.carries_out(
        lambda first, second, reason: drawing.swap(day.stage, players=(first, second), by=by, reason=reason)
    ):
        messages.success(request, _("The two have changed places."))
        return redirect("desk-big-day", event.pk)
    values = {"event": event, "stage": day.stage, "form": form, "round": len(day.facts)}
    return render(request, "desk/big_swap.html", values)
