"""Prizes of online tournaments: those of one, and what so much money would give."""

from decimal import Decimal

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from big_league.online.models import OnlineTournament
from big_league.online.prizes import Won, prizes_of, won_in
from big_league.rules import prizes as rules
from pergioco.players.models.people import naming
from pergioco.players.naming import shown_by
from pergioco.players.policy import everyone
from pergioco.players.rules.publication import BIG

HUNDRED, MOST = 100, 100_000


class MoneyForm(forms.Form):
    collected = forms.DecimalField(
        label=gettext_lazy("Collected, in euro"), min_value=0, max_value=MOST, decimal_places=2, initial=40
    )

    @property
    def cents(self) -> int:
        euro: Decimal = self.cleaned_data["collected"]
        return int(euro * HUNDRED)


@everyone
@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    form = MoneyForm(request.GET) if "collected" in request.GET else MoneyForm()
    edition = rules.on(timezone.localdate())
    found = rules.prizes(form.cents, edition) if form.is_bound and form.is_valid() else None
    won = [
        Won(at + 1, share, cents, None)
        for at, (share, cents) in enumerate(zip(found.shares, found.prizes, strict=True) if found else ())
    ]
    values = {"form": form, "prizes": found, "won": won, "bands": edition.bands, "edition": edition}
    return render(request, "website/big_online/calculator.html", values)


@everyone
@require_safe
def prizes(request: HttpRequest, slug: str) -> HttpResponse:
    rows = OnlineTournament.objects.select_related(
        "stage__game", "stage__season", "voucher_player", *naming("voucher_player")
    )
    online = get_object_or_404(rows, stage__slug=slug)
    shown_by(BIG, [online.voucher_player] if online.voucher_player else [])
    found = prizes_of(online)
    entries = list(online.entries.values_list("paid", flat=True))
    values = {
        "online": online,
        "stage": online.stage,
        "prizes": found,
        "won": won_in(online, found),
        "paid": len([paid for paid in entries if paid]),
        "free": len([paid for paid in entries if not paid]),
    }
    return render(request, "website/big_online/prizes.html", values)
