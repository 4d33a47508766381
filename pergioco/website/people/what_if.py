"""What would happen if: answers about games that nobody has played, by the rules of the rankings. Nothing is stored."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.players.models import Player
from pergioco.players.policy import Role, allow, everyone
from pergioco.website import limits
from pergioco.website.page_cache import versioned
from pergioco.website.people import what_if_race, what_if_rating
from pergioco.website.people.finding import answer_instead, player_at
from pergioco.website.people.what_if_form import WhatIfForm
from pergioco.website.people.what_if_rating import Standpoint
from race.what_if import Outlook

RATE = "20/m/ip"  # whole rankings are read for each answer


@everyone
@versioned
@require_safe
def what_if(request: HttpRequest, key: str) -> HttpResponse:
    """Of anybody who is named in public. The first look is kept; what is typed is answered and forgotten."""
    player = player_at(key)
    if instead := answer_instead(request, player):
        return instead
    answer = page(request, player)
    if request.GET:
        answer.headers["Cache-Control"] = "no-cache"
    return answer


@allow(Role.PLAYER)
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The way to one's own page; whoever is not named in public has it here, and nobody else sees it."""
    player = Player.objects.with_names().filter(person__user=request.user.pk).first()
    if player is None:
        return render(request, "me/no_person.html")
    if player.has_public_page:
        return redirect(reverse("player-what-if", args=[player.public_id], query=request.GET))
    return page(request, player)


def page(request: HttpRequest, player: Player) -> HttpResponse:
    """It names the player: for readers who may know the name."""
    own = standpoint(player)
    form = form_of(request, own)
    race = what_if_race.outlook(own)
    answers = answers_to(request, form, own, race) if form.is_bound and form.is_valid() else {}
    values = {"form": form, "own": own, "name": str(player.person), "race": race, **answers}
    return render(request, "website/people/what_if.html", values, status=429 if form.is_too_often else 200)


def standpoint(player: Player) -> Standpoint:
    """From what is public now, if it is of the season of today."""
    year = timezone.localdate().year
    latest = published.latest()
    version = latest if latest and latest.season.year == year else None
    return Standpoint(player, year, version, version.lines_of(player) if version else {})


def form_of(request: HttpRequest, own: Standpoint) -> WhatIfForm:
    """The opponents are those of the game that is asked for, else of the one that the player played last."""
    games = what_if_rating.games_of(own)
    asked = [game for game in games if game.slug == request.GET.get("game")]
    return WhatIfForm(
        request.GET if "game" in request.GET else None,
        games=games,
        rivals=what_if_race.rivals(own),
        opponents=what_if_rating.opponents(own, asked or games[:1]),
    )


def answers_to(request: HttpRequest, form: WhatIfForm, own: Standpoint, race: Outlook | None) -> dict[str, Any]:
    asked = form.cleaned_data
    game, games, rival = form.games[asked["game"]], asked["games"], own.rivals.get(asked.get("rival", ""))
    if games and not limits.is_within(request, "what_if", RATE):
        form.is_too_often = True
        form.add_error(None, _("You imagined games many times in a short time. Wait a minute, then try again."))
    return {
        "rating": what_if_rating.outcome(own, game, games) if games and not form.is_too_often else None,
        "passing": what_if_race.answer(race, rival) if race and rival else None,
    }
