"""The score between two players: game by game first, then in all; and the page on which the two are chosen."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.players.models import Player
from pergioco.players.naming import named_in_public, public_name
from pergioco.players.policy import everyone
from pergioco.rulekit.folding import fold
from pergioco.website.page_cache import versioned
from pergioco.website.people.asking import called
from pergioco.website.people.between import Between, Pair, between
from pergioco.website.people.finding import answer_instead, player_at

MOST_TO_CHOOSE_FROM = 20
LONGEST_NAME = 100


@dataclass(frozen=True)
class Side:
    """One of the two, as far as it is known who is meant."""

    field: str
    asked: str
    found: list[Player]

    @property
    def player(self) -> Player | None:
        return self.found[0] if len(self.found) == 1 else None


@everyone
@versioned
@require_safe
def pick(request: HttpRequest) -> HttpResponse:
    sides = [side_of(request, field) for field in ("a", "b")]
    one, other = (side.player for side in sides)
    if one and other and one != other:
        return redirect("compare", one.public_id, other.public_id)
    return render(request, "website/people/compare_pick.html", {"sides": sides, "is_same": one and one == other})


def side_of(request: HttpRequest, field: str) -> Side:
    """By the public id, or by parts of the name."""
    asked = request.GET.get(field, "")[:LONGEST_NAME]
    words = fold(asked).split()
    if not words:
        return Side(field, "", [])
    by_id = named_in_public().filter(public_id=asked).with_names()
    by_name = called(words).with_names().order_by("person__last_name", "person__first_name", "pk")
    return Side(field, asked, list(by_id) or list(by_name[:MOST_TO_CHOOSE_FROM]))


@everyone
@versioned
@require_safe
def compare(request: HttpRequest, one: str, other: str) -> HttpResponse:
    pair = player_at(one), player_at(other)
    for player in pair:
        if instead := answer_instead(request, player):
            return instead
    if pair[0] == pair[1]:
        return redirect(pair[0])
    version = published.latest()
    values: dict[str, Any] = {"one": pair[0], "other": pair[1], "version": version}
    if version is not None:
        found = between(pair, version)
        values |= {
            "season": version.season,
            "state": published.state_of(version),
            "between": found,
            "share_text": share_text(pair, found),
        }
    return render(request, "website/people/compare.html", values)


def share_text(pair: Pair, found: Between) -> str:
    """In a few words, ready to be pasted anywhere."""
    names = {"one": public_name(pair[0]), "other": public_name(pair[1])}
    if not found.total.games:
        return _("%(one)s – %(other)s: never met.") % names
    games = ", ".join(f"{one.game} {one.score}" for one in found.games if one.meetings)
    return _("%(one)s – %(other)s: %(score)s (won, drawn, lost). %(games)s.") % {
        **names,
        "score": found.total,
        "games": games,
    }
