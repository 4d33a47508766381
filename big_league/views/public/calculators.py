"""What a place or a sum would be worth by the rules; stores nothing. Also the prizes of a
tournament."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from big_league.compute import league_detail
from big_league.explanations import LeagueSteps
from big_league.models import OnlineTournament
from big_league.rules import editions
from big_league.rules import prizes as rules
from big_league.rules.editions import Edition
from big_league.rules.league import Finish, league_points
from big_league.services.online_prizes import assign_prizes, compute_prizes, list_won_prizes
from pergioco.core.policy import everyone
from pergioco.players.models.people import naming_paths
from pergioco.rulekit.numbers import half_up, to_thousandths
from pergioco.stages.seasons import season_for

MOST_PLAYERS, MOST_ELO = 1000, 9999


def elo_field(label: Any) -> forms.DecimalField:
    return forms.DecimalField(
        label=label, min_value=0, max_value=MOST_ELO, decimal_places=3, initial=1000
    )


class CalculatorForm(forms.Form):
    players = forms.IntegerField(
        label=gettext_lazy("Players of the tournament"),
        min_value=1,
        max_value=MOST_PLAYERS,
        initial=24,
    )
    place = forms.IntegerField(
        label=gettext_lazy("Place"), min_value=1, max_value=MOST_PLAYERS, initial=1
    )
    sharing = forms.IntegerField(
        label=gettext_lazy("How many share this place"),
        min_value=1,
        max_value=MOST_PLAYERS,
        initial=1,
        required=False,
    )
    mean = elo_field(gettext_lazy("Mean Elo of all players"))
    own = elo_field(gettext_lazy("The player's own Elo"))

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        players, place = found.get("players"), found.get("place")
        if players and place and place + (found.get("sharing") or 1) - 1 > players:
            self.add_error("place", _("There are not so many places: count the players again."))
        return found


def form_steps(values: dict[str, Any], edition: Edition) -> LeagueSteps:
    finish = Finish(values["players"], values["place"], values["sharing"] or 1)
    mean, own = Fraction(values["mean"]), values["own"]
    league = league_points(finish, mean - Fraction(own), edition)
    detail = league_detail(league, finish.players, mean, to_thousandths(own))
    return LeagueSteps(detail, half_up(league.points, 2), edition)


@everyone
@require_safe
def points_calculator(request: HttpRequest) -> HttpResponse:
    form = CalculatorForm(request.GET) if "players" in request.GET else CalculatorForm()
    season = season_for(timezone.localdate())
    edition = editions.EDITIONS.in_force(season.year if season else timezone.localdate().year)
    steps = form_steps(form.cleaned_data, edition) if form.is_bound and form.is_valid() else None
    return render(
        request,
        "big_league/public/calculator.html",
        {"form": form, "steps": steps, "edition": edition},
    )


CENTS, MOST_EURO = 100, 100_000


class MoneyForm(forms.Form):
    collected = forms.DecimalField(
        label=gettext_lazy("Collected, in euro"),
        min_value=0,
        max_value=MOST_EURO,
        decimal_places=2,
        initial=40,
    )

    @property
    def cents(self) -> int:
        euro: Decimal = self.cleaned_data["collected"]
        return int(euro * CENTS)


@everyone
@require_safe
def prizes_calculator(request: HttpRequest) -> HttpResponse:
    form = MoneyForm(request.GET) if "collected" in request.GET else MoneyForm()
    edition = rules.EDITIONS.in_force(timezone.localdate())
    found = rules.divide_prizes(form.cents, edition) if form.is_bound and form.is_valid() else None
    won = assign_prizes(found, ()) if found else []
    values = {"form": form, "prizes": found, "won": won, "bands": edition.bands, "edition": edition}
    return render(request, "big_league/online/calculator.html", values)


@everyone
@require_safe
def online_prizes_page(request: HttpRequest, slug: str) -> HttpResponse:
    rows = OnlineTournament.objects.select_related(
        "stage__game", "stage__season", "voucher_player", *naming_paths("voucher_player")
    )
    online = get_object_or_404(rows, stage__slug=slug)
    found = compute_prizes(online)
    entries = list(online.entries.values_list("paid", flat=True))
    values = {
        "online": online,
        "stage": online.stage,
        "prizes": found,
        "won": list_won_prizes(online, found),
        "paid": len([paid for paid in entries if paid]),
        "free": len([paid for paid in entries if not paid]),
    }
    return render(request, "big_league/online/prizes.html", values)
