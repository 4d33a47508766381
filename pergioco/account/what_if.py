"""What would happen if: answers about games that nobody has played, by the rules of the rankings. Nothing is stored."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.account import what_if_race, what_if_rating
from pergioco.account.accounts import person_signed_in
from pergioco.account.what_if_form import WhatIfForm
from pergioco.account.what_if_rating import Standpoint
from pergioco.ledger import published
from pergioco.players.models import Player
from pergioco.players.policy import Role, allow
from pergioco.stages.models import Season
from race.what_if import Outlook


@allow(Role.PLAYER)
@require_safe
def what_if(request: HttpRequest) -> HttpResponse:
    player = Player.objects.with_names().filter(person__user=person_signed_in(request)).first()
    if player is None:
        return render(request, "me/no_person.html")
    own = standpoint(player)
    form = form_of(request, own)
    race = what_if_race.outlook(own)
    answers = answers_to(form, own, race) if form.is_bound and form.is_valid() else {}
    return render(request, "me/what_if.html", {"form": form, "own": own, "race": race, **answers})


def standpoint(player: Player) -> Standpoint:
    """From what is public now in the season of today."""
    year = timezone.localdate().year
    season = Season.objects.filter(year=year).first()
    version = published.version(season) if season else None
    return Standpoint(player, year, version, version.lines_of(player) if version else {})


def form_of(request: HttpRequest, own: Standpoint) -> WhatIfForm:
    """The opponents are those of the game that is asked for, else of the one that the player played last."""
    games = what_if_rating.games_of(own)
    slug = request.GET.get("game") or (games[0].slug if games else "")
    return WhatIfForm(
        request.GET or None,
        games=games,
        rivals=what_if_race.rivals(own),
        opponents=what_if_rating.opponents(own, slug),
    )


def answers_to(form: WhatIfForm, own: Standpoint, race: Outlook | None) -> dict[str, Any]:
    asked = form.cleaned_data
    game, games, rival = form.games[asked["game"]], asked["games"], own.rivals.get(asked.get("rival", ""))
    return {
        "rating": what_if_rating.outcome(own, game, games) if games else None,
        "passing": what_if_race.answer(race, rival) if race and rival else None,
    }
