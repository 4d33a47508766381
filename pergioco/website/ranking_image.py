"""The first three of a ranking as a picture, for links in messages."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.ledger.published import Ranking, Version
from pergioco.players.naming import public_name
from pergioco.players.policy import everyone
from pergioco.stages.models import Game
from pergioco.website import share_image
from pergioco.website.front import Leader
from pergioco.website.ranking_exports import top
from pergioco.website.ranking_form import ranking_asked
from pergioco.website.ranking_words import kind_of, state_words, title
from pergioco.website.share_image import Card, Place

PLACES = 3


@everyone
@require_safe
def ranking(request: HttpRequest, year: int, kind: str = "", slug: str = "") -> HttpResponseBase:
    season, kind, game = ranking_asked(year, kind, slug)
    version = published.version(season)
    found = version.ranking(kind) if version else None
    if version is None or found is None:
        raise Http404
    return share_image.answer(request, card_of(version, found, game))


def card_of(version: Version, ranking: Ranking, game: Game | None) -> Card:
    return Card(
        title=f"{title(ranking.kind, game)} {version.season.year}",
        state=state_line(version, ranking.kind),
        kind=kind_of(ranking.kind),
        places=tuple(place(leader) for leader in top(ranking, PLACES)),
    )


def state_line(version: Version, kind: str) -> str:
    words = {"version": version, "state_words": state_words(published.state_of(version), kind)}
    return render_to_string("website/rankings/state_line.html", words).strip()


def place(leader: Leader) -> Place:
    player = leader.line.player
    city = player.person.city if player.is_named_in_public else ""
    return Place(leader.line.rank, public_name(player), city, leader.value)
