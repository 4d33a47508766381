"""Online tournaments of BIG: their prizes, who entered for money, and the voucher."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from big_league.online import prizes
from big_league.online.models import OnlineTournament
from pergioco.desk.final_forms import PlayerField
from pergioco.desk.forms import ReasonField, UseCaseForm
from pergioco.players.models import Player, User
from pergioco.players.policy import Role, allow
from pergioco.stages.models import Stage

HUNDRED, MOST = 100, 1000


class MoneyField(forms.DecimalField):
    """Typed in euro, kept in cents."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=MOST, decimal_places=2, **kwargs)

    def clean(self, value: Any) -> int:
        found = super().clean(value)
        return int((found or 0) * HUNDRED)


class OfferForm(UseCaseForm):
    fee = MoneyField(label=gettext_lazy("Price of an entry, in euro"))
    shop = forms.URLField(label=gettext_lazy("Where entries are bought"), required=False, assume_scheme="https")


class EntryForm(UseCaseForm):
    player = PlayerField()
    paid = MoneyField(label=gettext_lazy("Paid, in euro"), help_text=gettext_lazy("0: entered for nothing."))


class VoucherForm(UseCaseForm):
    player = PlayerField()
    reason = ReasonField()


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def tournament(request: HttpRequest, number: int) -> HttpResponse:
    stages = Stage.objects.filter(circuit=Stage.Circuit.BIG).select_related("game", "season")
    stage = get_object_or_404(stages, pk=number)
    online = OnlineTournament.objects.filter(stage=stage).select_related("stage__season", "voucher_player").first()
    asked = forms_for(online)
    wanted = request.POST.get("do", "")
    if request.method == "POST" and wanted in asked:
        asked[wanted] = type(asked[wanted])(request.POST, prefix=wanted)
        if carried_out(asked[wanted], wanted, stage, online, request):
            messages.success(request, _("Saved."))
            return redirect("desk-big-online", number)
    return render(request, "desk/big_online.html", shown(stage, online) | {"forms": asked})


def forms_for(online: OnlineTournament | None) -> dict[str, UseCaseForm]:
    """First what it costs; then entries and the voucher."""
    if online is None:
        return {"offer": OfferForm(prefix="offer")}
    entry = EntryForm(prefix="entry", initial={"paid": online.fee / HUNDRED})
    return {"entry": entry, "voucher": VoucherForm(prefix="voucher")}


def carried_out(
    form: UseCaseForm, wanted: str, stage: Stage, online: OnlineTournament | None, request: HttpRequest
) -> bool:
    by = request.user
    assert isinstance(by, User)
    if online is None:
        return form.carries_out(partial(prizes.offer, stage), by=by)
    return form.carries_out(partial(ACTS[wanted], online), by=by)


def entered(online: OnlineTournament, player: Player, paid: int, *, by: User) -> object:
    return prizes.enter_for(online, player, paid=paid, by=by)


def vouched(online: OnlineTournament, player: Player, reason: str, *, by: User) -> object:
    return prizes.give_voucher(online, player, reason=reason, by=by)


ACTS: dict[str, Callable[..., object]] = {"entry": entered, "voucher": vouched}


def shown(stage: Stage, online: OnlineTournament | None) -> dict[str, Any]:
    values: dict[str, Any] = {"stage": stage, "online": online}
    if online is not None:
        found = prizes.prizes_of(online)
        rows = online.entries.select_related("player__person", "player__registration")
        values |= {"prizes": found, "won": prizes.won_in(online, found), "entries": rows}
    return values
