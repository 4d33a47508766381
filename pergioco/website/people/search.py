"""Finding a person: by name, blind to accents; by country; only those who stand in the rankings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.ledger.models import Line
from pergioco.ledger.published import Version
from pergioco.players.models import Player
from pergioco.players.models.people import PlayerQuerySet
from pergioco.players.naming import named_in_public
from pergioco.players.policy import everyone
from pergioco.website.page_cache import versioned
from pergioco.website.people.asking import PeopleForm
from pergioco.website.people.spelling import nearest
from pergioco.website.ranking_words import KINDS, NAMES, why_address

PER_PAGE = 50
EVERY_ACTIVE_PLAYER = "red"  # the ranking in which all who have an active PGR stand (PGM 23)


class SearchForm(PeopleForm):
    active = forms.BooleanField(label=_("Only with an active PGR"), required=False)


@dataclass(frozen=True)
class Place:
    """In one of the great rankings; no line for who does not stand in it."""

    kind: str
    name: str | Promise
    line: Line | None
    why: str


@dataclass(frozen=True)
class Found:
    player: Player
    places: list[Place]

    @property
    def active(self) -> Line | None:
        return next((place.line for place in self.places if place.kind == EVERY_ACTIVE_PLAYER), None)


@everyone
@versioned
@require_safe
def players(request: HttpRequest) -> HttpResponse:
    form = SearchForm(request.GET)
    version = published.latest()
    asked_for = form.players
    found = named_in_public() if asked_for is None else asked_for
    if form.cleaned_data.get("active"):
        found = found.filter(pk__in=active_in(version))
    page = Paginator(in_order(found), PER_PAGE).get_page(request.GET.get("page"))
    values: dict[str, Any] = {
        "form": form,
        "version": version,
        "page": page,
        "rows": with_places(page.object_list, version),
        "kinds": [(kind, NAMES[kind]) for kind in KINDS] if version else [],
        "hints": nearest(form.words) if form.words and not page.paginator.count else [],
        "is_filtered": asked_for is not None or form.cleaned_data.get("active"),
    }
    return render(request, "website/people/players.html", values)


def in_order(found: PlayerQuerySet) -> PlayerQuerySet:
    return found.with_names().order_by("person__last_name", "person__first_name", "pk")


def active_in(version: Version | None) -> QuerySet[Line, int]:
    lines = Line.objects.filter(computation__shown__publication=version.publication) if version else Line.objects.none()
    return lines.filter(computation__kind=EVERY_ACTIVE_PLAYER).values_list("player", flat=True)


def with_places(players: Iterable[Player], version: Version | None) -> list[Found]:
    """Each with the places in the great rankings: one query for all."""
    found = list(players)
    if version is None:
        return [Found(player, []) for player in found]
    lines = Line.objects.filter(computation__shown__publication=version.publication, computation__kind__in=KINDS)
    theirs = lines.filter(player__in=found).select_related("computation")
    own = {(line.player_id, line.computation.kind): line for line in theirs}

    def place(player: Player, kind: str) -> Place:
        return Place(kind, NAMES[kind], own.get((player.pk, kind)), why_address(kind, version.season, player))

    return [Found(player, [place(player, kind) for kind in KINDS]) for player in found]
