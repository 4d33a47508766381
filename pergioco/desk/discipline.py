"""Disqualifications and sanctions: each step asks who is there for the password again."""

from functools import partial
from typing import cast

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.desk.forms import ButtonForm, DayField, ReasonField, UseCaseForm
from pergioco.players import disciplining
from pergioco.players.models import Disqualification, Player, Sanction, User
from pergioco.players.policy import Role, allow, asks_again

PER_PAGE = 50
FOR_THE_PLAYER = gettext_lazy("The player reads it.")


class ProposalForm(UseCaseForm):
    kind = forms.ChoiceField(
        label=gettext_lazy("What it does"), choices=Disqualification.Kind.choices, widget=forms.RadioSelect
    )
    effective_on = DayField(label=gettext_lazy("From"))
    reason = ReasonField(help_text=gettext_lazy("The player reads it once a second person has confirmed."))


class WithdrawalForm(UseCaseForm):
    reason = ReasonField(help_text=FOR_THE_PLAYER)


class SanctionForm(UseCaseForm):
    starts_on = DayField(label=gettext_lazy("First day"))
    ends_on = DayField(label=gettext_lazy("Last day"))
    reason = ReasonField()


class EndingForm(UseCaseForm):
    last_day = DayField(
        label=gettext_lazy("New last day"),
        help_text=gettext_lazy("A day before the first one takes the sanction back altogether."),
    )
    reason = ReasonField()


def named_players() -> QuerySet[Player]:
    return Player.objects.with_names().prefetch_related("accounts__nicknames")


def named_decisions() -> QuerySet[Disqualification]:
    rows = Disqualification.objects.select_related("player__person", "proposed_by", "confirmed_by")
    return rows.prefetch_related("player__accounts__nicknames")


@allow(Role.STAFF)
@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    """What waits comes first."""
    open_first = F("withdrawn_at").desc(nulls_first=True), F("confirmed_at").desc(nulls_first=True), "-pk"
    page = Paginator(named_decisions().order_by(*open_first), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/disqualifications.html", {"page": page})


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def propose(request: HttpRequest, public_id: str) -> HttpResponse:
    player = get_object_or_404(named_players(), public_id=public_id)
    form = ProposalForm(request.POST or None)
    if form.carries_out(partial(disciplining.propose, player), by=cast("User", request.user)):
        messages.success(request, _("Proposed. A second person must confirm it."))
        return redirect("desk-person", public_id)
    return render(request, "desk/disqualify.html", {"player": player, "form": form})


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def decision(request: HttpRequest, number: int) -> HttpResponse:
    row = get_object_or_404(named_decisions(), pk=number)
    step = request.POST.get("step")
    confirmation = ButtonForm(request.POST if step == "confirm" else None)
    withdrawal = WithdrawalForm(request.POST if step == "withdraw" else None)
    by = cast("User", request.user)
    if confirmation.carries_out(partial(disciplining.confirm, row), by=by):
        messages.success(request, _("Confirmed. The player is told by mail."))
        return redirect("desk-person", row.player.public_id)
    if withdrawal.carries_out(partial(disciplining.withdraw, row), by=by):
        messages.success(request, _("Withdrawn."))
        return redirect("desk-person", row.player.public_id)
    values = {"decision": row, "player": row.player, "confirmation": confirmation, "withdrawal": withdrawal}
    return render(request, "desk/disqualification.html", values)


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def sanction(request: HttpRequest, public_id: str) -> HttpResponse:
    player = get_object_or_404(named_players(), public_id=public_id)
    form = SanctionForm(request.POST or None)
    if form.carries_out(partial(disciplining.sanction, player), by=cast("User", request.user)):
        messages.success(request, _("The sanction is on file."))
        return redirect("desk-person", public_id)
    return render(request, "desk/sanction.html", {"player": player, "form": form})


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def end_sanction(request: HttpRequest, number: int) -> HttpResponse:
    rows = Sanction.objects.select_related("player__person").prefetch_related("player__accounts__nicknames")
    row = get_object_or_404(rows, pk=number)
    form = EndingForm(request.POST or None)
    if form.carries_out(partial(disciplining.end_sanction, row), by=cast("User", request.user)):
        messages.success(request, _("The sanction was changed."))
        return redirect("desk-person", row.player.public_id)
    return render(request, "desk/sanction_end.html", {"sanction": row, "player": row.player, "form": form})
