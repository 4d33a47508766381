"""Players, the history of their ratings, and rankings."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.generics import RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from pergioco.api.base import ApiPagination, Gone, PublicApiView, PublicList
from pergioco.api.parameters import AT, PAGES, SEARCH, YEAR, Query, one_of, slug
from pergioco.api.serializers import (
    KINDS,
    ChangeShown,
    HubShown,
    LineShown,
    PlayerShown,
    RankingPage,
    ranking_family,
    ranking_paragraphs,
)
from pergioco.players.models import Player
from pergioco.players.naming import is_named, named_in_public
from pergioco.players.rules.people import PGM
from pergioco.publishing import published
from pergioco.publishing.models import PgrChange
from pergioco.publishing.published import Ranking, Version, VersionCode
from pergioco.rulekit.text import fold
from pergioco.stages.models import Season


class Players(PublicList[Player]):
    """Registered players, by surname."""

    serializer_class = PlayerShown
    parameters = (*SEARCH, *PAGES)

    def get_queryset(self) -> QuerySet[Player]:
        found = search_named_players(self.query).select_related("person", "registration")
        return found.order_by("person__last_name", "person__first_name", "pk")


class OnePlayer(PublicApiView, RetrieveAPIView[Player]):
    """A player. 410 for somebody who was erased, or who turned out to be another one: then it says
    who."""

    serializer_class = PlayerShown

    def get_object(self) -> Player:
        return get_named_player(self.kwargs["public_id"])


class History(PublicList[PgrChange]):
    """Every change of a player's ratings, in the order of time."""

    serializer_class = ChangeShown
    parameters = (slug("game", "Slug of the game.", example="go"), *PAGES)

    def get_queryset(self) -> QuerySet[PgrChange]:
        if getattr(self, "swagger_fake_view", False):
            return PgrChange.objects.none()
        changes = PgrChange.objects.current().filter(
            player=get_named_player(self.kwargs["public_id"])
        )
        if "game" in self.query:
            changes = changes.filter(game__slug=self.query["game"])
        return changes.in_order().select_related(
            "stage", "game", "player__person", "player__registration"
        )


def search_named_players(query: Query, circuit: str = PGM) -> QuerySet[Player]:
    found = named_in_public(circuit)
    for word in fold(query.get("search", "")).split():
        found = found.filter(person__search_key__contains=word)
    country = query.get("country", "")
    return found.filter(person__country=country.upper()) if country else found


def get_named_player(public_id: str) -> Player:
    players = Player.objects.with_names().select_related("merged_into")
    player = get_object_or_404(players, public_id=public_id)
    if player.merged_into is not None:
        raise Gone(_("This player is the same as %(id)s.") % {"id": player.merged_into.public_id})
    if player.erased_at is not None:
        raise Gone(_("This player was removed."))
    if not is_named(player, PGM):
        raise Http404
    return player


OF_GAMES = ("game:", "big:", "big-elo:")
PUBLIC_CODES = {VersionCode.CORRECTED, VersionCode.FINAL}
KIND = one_of("kind", KINDS, example="red", location="path")
GAME = slug("game", "Slug of the game.", location="path")
OF_A_RANKING = (YEAR, AT, *SEARCH, *PAGES)


class Hub(PublicApiView):
    """Which rankings a season has, and where they are."""

    parameters = (YEAR, AT)

    @extend_schema(operation_id="rankings_hub", responses=HubShown)
    def get(self, request: Request, year: int) -> Response:
        version = get_version(self.query, year)
        addresses = {
            kind: request.build_absolute_uri(ranking_address(kind, year))
            for kind in (*KINDS, *game_kinds(version))
        }
        return Response(describe_version(version) | {"rankings": addresses})


class SeasonRanking(PublicApiView):
    """Red, Blue, Green, the Race or the points of BIG."""

    parameters = (KIND, *OF_A_RANKING)

    @extend_schema(responses=RankingPage)
    def get(self, request: Request, year: int, kind: str) -> Response:
        if kind not in KINDS:
            raise Http404
        return ranking_response(self, request, get_version(self.query, year), kind)


class GameRanking(PublicApiView):
    """The players of one game by their PGR."""

    family = "game"
    parameters = (GAME, *OF_A_RANKING)

    @extend_schema(responses=RankingPage)
    def get(self, request: Request, year: int, game: str) -> Response:
        kind = f"{self.family}:{game}"
        return ranking_response(self, request, get_version(self.query, year), kind)


class BigRanking(GameRanking):
    """The championship of one game of BIG."""

    family = "big"


class BigEloRanking(GameRanking):
    """The Elo of one game of BIG; its arithmetic is the portal's own."""

    family = "big-elo"


def get_version(query: Query, year: int) -> Version:
    # A season has no rankings before its first day
    season = Season.objects.filter(year=year).first()
    day = query.get("at")
    is_too_early = day is not None and day.year < year
    version = published.find_version(season, day) if season and not is_too_early else None
    if version is None:
        raise Http404
    return version


def game_kinds(version: Version) -> list[str]:
    if version.publication is None:
        found = list(getattr(version, "computed", {}))
    else:
        found = list(version.publication.shown.values_list("kind", flat=True))
    return sorted(kind for kind in found if kind.startswith(OF_GAMES))


def ranking_address(kind: str, year: int) -> str:
    name, _colon, slug = kind.partition(":")
    view = f"api-{ranking_family(kind)}-ranking" if slug else "api-ranking"
    return reverse(view, args=[year, slug or name])


def describe_version(version: Version) -> dict[str, Any]:
    code = published.version_state(version).code
    return {
        "season": version.season.year,
        "as_of": version.as_of,
        "version": version.publication.number if version.publication else 0,
        "state": code if code in PUBLIC_CODES else VersionCode.PROVISIONAL,
    }


def ranking_response(
    view: PublicApiView, request: Request, version: Version, kind: str
) -> Response:
    ranking = version.ranking(kind)
    if ranking is None:
        raise Http404
    paged, wanted = ApiPagination(), ranking.lines
    if view.query.get("search") or view.query.get("country"):
        wanted = ranking.of(search_named_players(view.query, ranking.circuit))
    lines = ranking.named(paged.paginate_queryset(wanted, request, view) or [])
    context = {
        "request": request,
        "circuit": ranking.circuit,
        "kind": kind,
        "year": version.season.year,
        "day": view.query.get("at"),
    }
    shown = LineShown(lines, many=True, context=context)
    page = paged.get_paginated_response(shown.data)
    page.data = describe_version(version) | describe_ranking(ranking) | dict(page.data)
    return page


def describe_ranking(ranking: Ranking) -> dict[str, Any]:
    return {
        "kind": ranking.kind,
        "paragraphs": ranking_paragraphs(ranking.kind),
        "edition": ranking.edition,
        "settings": ranking.settings,
    }
