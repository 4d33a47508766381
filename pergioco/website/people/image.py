"""A player's first places as a picture, for links in messages."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from pergioco.ledger import published
from pergioco.ledger.published import Published
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.policy import everyone
from pergioco.website.people.finding import answer_instead, player_at
from pergioco.website.ranking_image import PLACES, state_line
from pergioco.website.ranking_tables import value_shown
from pergioco.website.ranking_words import KINDS, NAMES
from pergioco.website.share_image import Card, Place, answer


@everyone
@require_safe
def picture(request: HttpRequest, key: str) -> HttpResponseBase:
    player = player_at(key)
    if instead := answer_instead(request, player):
        return instead
    version = published.latest()
    if version is None:
        raise Http404
    return answer(request, card_of(player, version))


def card_of(player: Player, version: Published) -> Card:
    """As many of the great rankings as there is room for."""
    lines = version.lines_of(player)
    places = [
        Place(lines[kind].rank, str(NAMES[kind]), "", value_shown(kind, lines[kind])) for kind in KINDS if kind in lines
    ]
    return Card(public_name(player), state_line(version, ""), places=tuple(places[:PLACES]))
