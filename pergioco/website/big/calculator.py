"""What a place in a tournament would be worth, step by step: by the very rules of the league, and nothing is stored."""

from fractions import Fraction
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from big_league.rules import editions
from big_league.rules.editions import Edition
from big_league.rules.league import Finish, league_points
from pergioco.players.policy import everyone
from pergioco.stages.seasons import season_for
from pergioco.website.big.steps import Steps, would_be

MOST_PLAYERS, MOST_ELO = 1000, 9999


class CalculatorForm(forms.Form):
    players = forms.IntegerField(
        label=gettext_lazy("Players of the tournament"), min_value=1, max_value=MOST_PLAYERS, initial=24
    )
    place = forms.IntegerField(label=gettext_lazy("Place"), min_value=1, max_value=MOST_PLAYERS, initial=1)
    sharing = forms.IntegerField(
        label=gettext_lazy("How many share this place"),
        min_value=1,
        max_value=MOST_PLAYERS,
        initial=1,
        required=False,
    )
    mean = forms.DecimalField(
        label=gettext_lazy("Mean Elo of all players"), min_value=0, max_value=MOST_ELO, decimal_places=3, initial=1000
    )
    own = forms.DecimalField(
        label=gettext_lazy("The player's own Elo"), min_value=0, max_value=MOST_ELO, decimal_places=3, initial=1000
    )

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        players, place = found.get("players"), found.get("place")
        if players and place and place + (found.get("sharing") or 1) - 1 > players:
            self.add_error("place", _("There are not so many places: count the players again."))
        return found


def steps_of(asked: dict[str, Any], edition: Edition) -> Steps:
    finish = Finish(asked["players"], asked["place"], asked["sharing"] or 1)
    mean, own = asked["mean"], asked["own"]
    league = league_points(finish, Fraction(mean - own), edition)
    return would_be(league, players=finish.players, mean=mean, own=own, edition=edition)


@everyone
@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    form = CalculatorForm(request.GET) if "players" in request.GET else CalculatorForm()
    season = season_for(timezone.localdate())
    edition = editions.for_season(season.year if season else timezone.localdate().year)
    steps = steps_of(form.cleaned_data, edition) if form.is_bound and form.is_valid() else None
    return render(request, "website/big/calculator.html", {"form": form, "steps": steps, "edition": edition})
