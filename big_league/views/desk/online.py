"""Online tournaments of BIG at the desk: prizes, entries and the voucher."""

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

from big_league.models import OnlineTournament
from big_league.services import online_prizes
from big_league.views.desk.finals import PlayerField
from pergioco.core.forms import ReasonField, UseCaseForm
from pergioco.core.policy import Role, allow
from pergioco.stages.models import Stage

HUNDRED, MOST = 100, 1000


class MoneyField(forms.DecimalField):
    """Typed in euro, cleaned to cents."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=MOST, decimal_places=2, **kwargs)

    def clean(self, value: Any) -> int:
        found = super().clean(value)
        return int((found or 0) * HUNDRED)


class OfferForm(UseCaseForm):
    fee = MoneyField(label=gettext_lazy("Price of an entry, in euro"))
    shop = forms.URLField(
        label=gettext_lazy("Where entries are bought"), required=False, assume_scheme="https"
    )


class EntryForm(UseCaseForm):
    player = PlayerField()
    paid = MoneyField(
        label=gettext_lazy("Paid, in euro"), help_text=gettext_lazy("0: entered for nothing.")
    )


class VoucherForm(UseCaseForm):
    player = PlayerField()
    reason = ReasonField()


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def online_tournament(request: HttpRequest, number: int) -> HttpResponse:
    stages = Stage.objects.filter(circuit=Stage.Circuit.BIG).select_related("game", "season")
    stage = get_object_or_404(stages, pk=number)
    online = (
        OnlineTournament.objects.filter(stage=stage)
        .select_related("stage__season", "voucher_player")
        .first()
    )
    typed_forms = online_forms(online)
    wanted = request.POST.get("do", "")
    if request.method == "POST" and wanted in typed_forms:
        form = typed_forms[wanted] = type(typed_forms[wanted])(request.POST, prefix=wanted)
        if form.carries_out(partial(ACTS[wanted], online or stage), by=request.user):
            messages.success(request, _("Saved."))
            return redirect("desk-big-online", number)
    return render(
        request,
        "big_league/desk/online.html",
        online_values(stage, online) | {"forms": typed_forms},
    )


def online_forms(online: OnlineTournament | None) -> dict[str, UseCaseForm]:
    if online is None:
        return {"offer": OfferForm(prefix="offer")}
    entry = EntryForm(prefix="entry", initial={"paid": online.fee / HUNDRED})
    return {"entry": entry, "voucher": VoucherForm(prefix="voucher")}


ACTS: dict[str, Callable[..., object]] = {
    "offer": online_prizes.offer_prizes,
    "entry": online_prizes.enter_online,
    "voucher": online_prizes.give_voucher,
}


def online_values(stage: Stage, online: OnlineTournament | None) -> dict[str, Any]:
    values: dict[str, Any] = {"stage": stage, "online": online}
    if online is not None:
        found = online_prizes.compute_prizes(online)
        rows = online.entries.select_related("player__person", "player__registration")
        values |= {
            "prizes": found,
            "won": online_prizes.list_won_prizes(online, found),
            "entries": rows,
        }
    return values
