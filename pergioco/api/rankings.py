"""The rankings of a season: as published, or as of any day."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from pergioco.api.frame import Open, Paged
from pergioco.api.paragraphs import of_ranking
from pergioco.api.people import SEARCH, is_asked, named
from pergioco.api.reading import day
from pergioco.api.showing import KINDS, HubShown, LineShown, RankingPage, family
from pergioco.ledger import published
from pergioco.ledger.published import Code, Ranking, Version
from pergioco.stages.models import Season

OF_GAMES = ("game:", "big:", "big-elo:")
SAID = {Code.CORRECTED, Code.FINAL}
AT = OpenApiParameter(
    "at", OpenApiTypes.DATE, description="What was public at the end of this day, or computed as of it."
)
ASKED = [AT, *SEARCH, OpenApiParameter("page", OpenApiTypes.INT), OpenApiParameter("page_size", OpenApiTypes.INT)]


class Hub(Open):
    """Which rankings a season has, and where they are."""

    @extend_schema(operation_id="rankings_hub", parameters=[AT], responses=HubShown)
    def get(self, request: Request, year: int) -> Response:
        version = version_of(request, year)
        wanted = [*KINDS, *game_kinds(version)]
        addresses = {kind: request.build_absolute_uri(address(kind, year)) for kind in wanted}
        return Response(about(version) | {"rankings": addresses})


class One(Open):
    """Red, Blue, Green, the Race or the points of BIG."""

    @extend_schema(parameters=ASKED, responses=RankingPage)
    def get(self, request: Request, year: int, kind: str) -> Response:
        if kind not in KINDS:
            raise Http404
        return answer(self, request, version_of(request, year), kind)


class OfGame(Open):
    """The players of one game by their PGR."""

    @extend_schema(parameters=ASKED, responses=RankingPage)
    def get(self, request: Request, year: int, game: str) -> Response:
        return answer(self, request, version_of(request, year), f"game:{game}")


class OfBig(Open):
    """The championship of one game of BIG."""

    @extend_schema(parameters=ASKED, responses=RankingPage)
    def get(self, request: Request, year: int, game: str) -> Response:
        return answer(self, request, version_of(request, year), f"big:{game}")


class BigElo(Open):
    """The Elo of one game of BIG; its arithmetic is the portal's own."""

    @extend_schema(parameters=ASKED, responses=RankingPage)
    def get(self, request: Request, year: int, game: str) -> Response:
        return answer(self, request, version_of(request, year), f"big-elo:{game}")


def version_of(request: Request, year: int) -> Version:
    """A season has no rankings before its first day."""
    season = Season.objects.filter(year=year).first()
    asked = day(request.query_params, "at")
    is_too_early = asked is not None and asked.year < year
    version = published.version(season, asked) if season and not is_too_early else None
    if version is None:
        raise Http404
    return version


def game_kinds(version: Version) -> list[str]:
    if version.publication is None:
        found = list(getattr(version, "computed", {}))
    else:
        found = list(version.publication.shown.values_list("kind", flat=True))
    return sorted(kind for kind in found if kind.startswith(OF_GAMES))


def address(kind: str, year: int) -> str:
    name, _colon, slug = kind.partition(":")
    view = f"api-{family(kind)}-ranking" if slug else "api-ranking"
    return reverse(view, args=[year, slug or name])


def about(version: Version) -> dict[str, Any]:
    code = published.state_of(version).code
    return {
        "season": version.season.year,
        "as_of": version.as_of,
        "version": version.publication.number if version.publication else 0,
        "state": code if code in SAID else Code.PROVISIONAL,
    }


def answer(view: Open, request: Request, version: Version, kind: str) -> Response:
    ranking = version.ranking(kind)
    if ranking is None:
        raise Http404
    paged = Paged()
    wanted = ranking.of(named(request, ranking.circuit)) if is_asked(request) else ranking.lines
    lines = ranking.named(paged.paginate_queryset(wanted, request, view) or [])
    context = {"request": request, "kind": kind, "year": version.season.year, "day": day(request.query_params, "at")}
    shown = LineShown(lines, many=True, context=context)
    page = paged.get_paginated_response(shown.data)
    page.data = about(version) | of(ranking) | dict(page.data)
    return page


def of(ranking: Ranking) -> dict[str, Any]:
    return {
        "kind": ranking.kind,
        "paragraphs": of_ranking(ranking.kind),
        "edition": ranking.edition,
        "settings": ranking.settings,
    }
