"""From an address to a player; and what is answered for those of whom nothing is shown."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _

from pergioco.players.models import Player
from pergioco.players.models.people import naming
from pergioco.website import errors
from pergioco.website.errors import Words

NOT_NAMED = Words(
    _("Nothing is shown of this player"),
    _("Whoever this is, is not named in public: not registered, or without consent to publication."),
    _("Was it you? Whoever registers is ranked from then on, with the PGRs earned before."),
)


def player_at(key: str, circuit: str = "") -> Player:
    """By the public id with which the address begins; the name behind it is for people."""
    players = Player.objects.with_names(circuit).select_related("merged_into", *naming("merged_into"))
    return get_object_or_404(players, public_id=key.partition("-")[0])


def answer_instead(request: HttpRequest, player: Player) -> HttpResponse | None:
    """The way to whom this player turned out to be; or that nothing is shown, and why."""
    if player.merged_into is not None:
        return redirect(player.merged_into, permanent=True)
    if player.erased_at is not None:
        return errors.page(request, HTTPStatus.GONE)
    if not player.is_named_in_public:
        return errors.page(request, HTTPStatus.NOT_FOUND, NOT_NAMED)
    return None
