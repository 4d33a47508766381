"""Finding players, choosing two of them, and their results against each other."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from pergioco.core.page_cache import versioned
from pergioco.core.pages import paginate
from pergioco.core.policy import everyone
from pergioco.players.models import Player
from pergioco.players.models.people import PlayerQuerySet
from pergioco.players.naming import named_in_public, public_name
from pergioco.players.queries.opponents import Comparison, Pair, compare_players
from pergioco.players.queries.search import (
    PeopleForm,
    find_similar_names,
    get_player_by_key,
    players_with_words,
    respond_instead,
)
from pergioco.players.rules.people import PGM
from pergioco.publishing import published
from pergioco.publishing.models import Line
from pergioco.publishing.published import Published
from pergioco.publishing.queries.ranking_labels import KINDS, NAMES, why_address
from pergioco.rulekit.text import fold

EVERY_ACTIVE_PLAYER = "red"  # the ranking of all players with an active PGR (PGM 23)
MOST_CHOICES = 20
LONGEST_NAME = 100


class PlayerSearchForm(PeopleForm):
    active = forms.BooleanField(label=gettext_lazy("Only with an active PGR"), required=False)


@dataclass(frozen=True)
class RankingPlace:
    """In one of the main rankings. `line` is None without a place."""

    kind: str
    name: str | Promise
    line: Line | None
    why: str


@dataclass(frozen=True)
class FoundPlayer:
    player: Player
    places: list[RankingPlace]

    @property
    def active(self) -> Line | None:
        return next(
            (place.line for place in self.places if place.kind == EVERY_ACTIVE_PLAYER), None
        )


@everyone
@versioned
@require_safe
def players_page(request: HttpRequest) -> HttpResponse:
    form = PlayerSearchForm(request.GET)
    version = published.latest_version()
    asked_for = form.players
    found = named_in_public() if asked_for is None else asked_for
    if form.cleaned_data.get("active"):
        found = found.filter(pk__in=active_players_in(version))
    page = paginate(request, order_by_name(found))
    values: dict[str, Any] = {
        "form": form,
        "version": version,
        "page": page,
        "rows": add_places(page.object_list, version),
        "kinds": [(kind, NAMES[kind]) for kind in KINDS] if version else [],
        "hints": find_similar_names(form.words) if form.words and not page.paginator.count else [],
        "is_filtered": asked_for is not None or form.cleaned_data.get("active"),
    }
    return render(request, "players/public/players.html", values)


def order_by_name(found: PlayerQuerySet) -> PlayerQuerySet:
    return found.with_names().order_by("person__last_name", "person__first_name", "pk")


def active_players_in(version: Published | None) -> QuerySet[Line, int]:
    lines = version.lines(EVERY_ACTIVE_PLAYER) if version else Line.objects.none()
    return lines.values_list("player", flat=True)


def add_places(players: Iterable[Player], version: Published | None) -> list[FoundPlayer]:
    found = list(players)
    if version is None:
        return [FoundPlayer(player, []) for player in found]
    # One query for all rankings and players.
    theirs = version.lines(*KINDS).filter(player__in=found).select_related("computation")
    own = {(line.player_id, line.computation.kind): line for line in theirs}

    def place(player: Player, kind: str) -> RankingPlace:
        return RankingPlace(
            kind, NAMES[kind], own.get((player.pk, kind)), why_address(kind, version.season, player)
        )

    return [FoundPlayer(player, [place(player, kind) for kind in KINDS]) for player in found]


@dataclass(frozen=True)
class Side:
    """One of the two, with the players that match the search."""

    field: str
    asked: str
    found: list[Player]

    @property
    def player(self) -> Player | None:
        return self.found[0] if len(self.found) == 1 else None


@everyone
@versioned
@require_safe
def choose_players_page(request: HttpRequest) -> HttpResponse:
    sides = [find_side(request, field) for field in ("a", "b")]
    one, other = (side.player for side in sides)
    if one and other and one != other:
        return redirect("compare", one.public_id, other.public_id)
    return render(
        request,
        "players/public/compare_pick.html",
        {"sides": sides, "is_same": one and one == other},
    )


def find_side(request: HttpRequest, field: str) -> Side:
    """By public id, or by parts of the name."""
    asked = request.GET.get(field, "")[:LONGEST_NAME]
    words = fold(asked).split()
    if not words:
        return Side(field, "", [])
    by_id = named_in_public().filter(public_id=asked).with_names()
    by_name = order_by_name(players_with_words(words))
    return Side(field, asked, list(by_id) or list(by_name[:MOST_CHOICES]))


@everyone
@versioned
@require_safe
def compare_page(request: HttpRequest, one: str, other: str) -> HttpResponse:
    pair = get_player_by_key(one), get_player_by_key(other)
    for player in pair:
        if instead := respond_instead(request, player):
            return instead
    if pair[0] == pair[1]:
        return redirect(pair[0])
    version = published.latest_version()
    values: dict[str, Any] = {"one": pair[0], "other": pair[1], "version": version}
    if version is not None:
        found = compare_players(pair, version)
        values |= {
            "season": version.season,
            "state": published.version_state(version),
            "between": found,
            "share_text": comparison_text(pair, found),
        }
    return render(request, "players/public/compare.html", values)


def comparison_text(pair: Pair, found: Comparison) -> str:
    """A short text to paste into messages."""
    names = {"one": public_name(pair[0], PGM), "other": public_name(pair[1], PGM)}
    if not found.total.games:
        return _("%(one)s – %(other)s: never met.") % names
    games = ", ".join(f"{one.game} {one.score}" for one in found.games if one.meetings)
    return _("%(one)s – %(other)s: %(score)s (won, drawn, lost). %(games)s.") % {
        **names,
        "score": found.total,
        "games": games,
    }
