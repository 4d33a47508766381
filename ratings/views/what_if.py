"""What-if page: new PGR and places after imagined games, computed by the rules. Nothing is
stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pergioco.core import limits
from pergioco.core.page_cache import versioned
from pergioco.core.policy import Role, allow, everyone
from pergioco.players.models import Player
from pergioco.players.queries.search import get_player_by_key, respond_instead
from pergioco.publishing import published
from pergioco.publishing.models import Line
from race import rules
from race.rules import Drops, Need, Outlook, last_place_for, points_needed
from ratings.views import what_if_rating
from ratings.views.what_if_form import WhatIfForm, player_label
from ratings.views.what_if_rating import Standpoint

RATE = "20/m/ip"  # whole rankings are read for each answer


@everyone
@versioned
@require_safe
def show_what_if(request: HttpRequest, key: str) -> HttpResponse:
    player = get_player_by_key(key)
    if instead := respond_instead(request, player):
        return instead
    answer = render_what_if(request, player)
    # Only the empty form is cached.
    if request.GET:
        answer.headers["Cache-Control"] = "no-cache"
    return answer


@allow(Role.PLAYER)
@require_safe
def show_own_what_if(request: HttpRequest) -> HttpResponse:
    # Players without a public page see theirs here.
    player = Player.objects.with_names().filter(person__user=request.user.pk).first()
    if player is None:
        return render(request, "players/account/no_person.html")
    if player.has_public_page:
        return redirect(reverse("player-what-if", args=[player.public_id], query=request.GET))
    return render_what_if(request, player)


def render_what_if(request: HttpRequest, player: Player) -> HttpResponse:
    own = read_standpoint(player)
    form = bind_form(request, own)
    race = race_outlook(own)
    answers = answer_form(request, form, own, race) if form.is_bound and form.is_valid() else {}
    values = {"form": form, "own": own, "name": str(player.person), "race": race, **answers}
    return render(request, "ratings/what_if.html", values, status=429 if form.is_too_often else 200)


def read_standpoint(player: Player) -> Standpoint:
    # From the latest publication, if it is of the current season.
    year = timezone.localdate().year
    latest = published.latest_version()
    version = latest if latest and latest.season.year == year else None
    return Standpoint(player, year, version, version.lines_of(player) if version else {})


def bind_form(request: HttpRequest, own: Standpoint) -> WhatIfForm:
    # Without a chosen game, offer opponents of the one played last.
    games = what_if_rating.games_by_last_played(own)
    chosen = [game for game in games if game.slug == request.GET.get("game")]
    return WhatIfForm(
        request.GET if "game" in request.GET else None,
        games=games,
        rivals=rival_choices(own),
        opponents=what_if_rating.game_opponents(own, chosen or games[:1]),
    )


def answer_form(
    request: HttpRequest, form: WhatIfForm, own: Standpoint, race: Outlook | None
) -> dict[str, Any]:
    typed = form.cleaned_data
    game, games, rival = (
        form.games[typed["game"]],
        typed["games"],
        own.rivals.get(typed.get("rival", "")),
    )
    if games and not limits.consume(request, "what_if", RATE):
        form.is_too_often = True
        form.add_error(
            None, _("You imagined games many times in a short time. Wait a minute, then try again.")
        )
    return {
        "rating": what_if_rating.imagined_outcome(own, game, games)
        if games and not form.is_too_often
        else None,
        "passing": race_answer(race, rival) if race and rival else None,
    }


FIELDS = (16, 32, 64)  # players of a stage, for which a place is named


@dataclass(frozen=True)
class RaceRow:
    """What is needed with so many more stages, and the last place that gives it by size of
    stage."""

    need: Need
    places: list[tuple[int, int | None]]  # players, place


@dataclass(frozen=True)
class RaceAnswer:
    """Assumes that the rival scores no more points."""

    rival: str
    to_pass: int
    is_passed: bool
    rows: list[RaceRow]
    fields: Sequence[int] = FIELDS


def rival_choices(own: Standpoint) -> list[tuple[str, str]]:
    return [(public_id, player_label(line.player)) for public_id, line in own.rivals.items()]


def race_outlook(own: Standpoint) -> Outlook | None:
    if own.race is None:
        return None
    line = own.lines.get("race")
    return Outlook(
        tuple(line.detail["results"].values()) if line else (),
        left=int(own.race.read["left"]),
        drops=cast("Drops", own.race.settings["race_drops"]),
        edition=rules.EDITIONS.in_force(own.year),
    )


def race_answer(own: Outlook, theirs: Line) -> RaceAnswer:
    to_pass = int(theirs.detail["net"])
    rows = [RaceRow(need, places_needed(need, own)) for need in points_needed(own, to_pass=to_pass)]
    return RaceAnswer(str(theirs.player.person), to_pass, own.net() > to_pass, rows)


def places_needed(need: Need, own: Outlook) -> list[tuple[int, int | None]]:
    if need.points is None:
        return [(players, None) for players in FIELDS]
    return [
        (players, last_place_for(need.points, players=players, edition=own.edition))
        for players in FIELDS
    ]
