"""Players, and the history of their ratings. Only who is named in public can be found."""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from pergioco.api.frame import Gone, Open, Paged
from pergioco.api.showing import ChangeShown, PlayerShown
from pergioco.ledger.models import PgrChange
from pergioco.players.models import Player
from pergioco.players.naming import named_in_public
from pergioco.rulekit.folding import fold

SEARCH = [
    OpenApiParameter("search", OpenApiTypes.STR, description="part of a name; accents and case do not matter"),
    OpenApiParameter("country", OpenApiTypes.STR, description="ISO 3166-1 alpha-2"),
]


class Players(Open, ListAPIView[Player]):
    """Registered players, by surname."""

    serializer_class = PlayerShown
    pagination_class = Paged

    @extend_schema(parameters=SEARCH)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Player]:
        found = named(self.request).select_related("person", "registration")
        return found.order_by("person__last_name", "person__first_name", "pk")


class OnePlayer(Open, RetrieveAPIView[Player]):
    """A player. 410 for somebody who was erased, or who turned out to be another one: then it says who."""

    serializer_class = PlayerShown

    def get_object(self) -> Player:
        return found(self.kwargs["public_id"])


class History(Open, ListAPIView[PgrChange]):
    """Every change of a player's ratings, in the order of time."""

    serializer_class = ChangeShown
    pagination_class = Paged

    @extend_schema(parameters=[OpenApiParameter("game", OpenApiTypes.STR, description="slug of the game")])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[PgrChange]:
        if getattr(self, "swagger_fake_view", False):
            return PgrChange.objects.none()
        changes = PgrChange.objects.current().filter(player=found(self.kwargs["public_id"]))
        if game := self.request.query_params.get("game", ""):
            changes = changes.filter(game__slug=game)
        return changes.in_order().select_related("stage", "game", "player__person", "player__registration")


def is_asked(request: Request) -> bool:
    return any(request.query_params.get(one.name) for one in SEARCH)


def named(request: Request, circuit: str = "") -> QuerySet[Player]:
    """Those who are asked for by name or country, among the people whom the circuit names."""
    words, country = fold(request.query_params.get("search", "")).split(), request.query_params.get("country", "")
    found = named_in_public(circuit).filter(*(Q(person__search_key__contains=word) for word in words))
    return found.filter(person__country=country.upper()) if country else found


def found(public_id: str) -> Player:
    player = Player.objects.with_names().select_related("merged_into").filter(public_id=public_id).first()
    if player is None:
        raise Http404
    if player.merged_into is not None:
        raise Gone(_("This player is the same as %(id)s.") % {"id": player.merged_into.public_id})
    if player.erased_at is not None:
        raise Gone(_("This player was removed."))
    if not player.is_named_in_public:
        raise Http404
    return player
