"""Seasons, games, stages, and what happened at their tables."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from pergioco.api import outcomes
from pergioco.api.frame import Open, Paged
from pergioco.api.reading import choice, whole_number
from pergioco.api.showing import GameShown, SeasonShown, StageShown, StageWithResults
from pergioco.ledger.models import PgrChange
from pergioco.players.models import Player
from pergioco.players.models.people import naming
from pergioco.players.naming import shown_by
from pergioco.stages.models import Game, Revision, Season, Seat, Stage

FILTERS = [
    OpenApiParameter("season", {"type": "integer", "minimum": 0, "maximum": 9999}),
    OpenApiParameter("game", OpenApiTypes.STR, description="slug of the game"),
    OpenApiParameter("platform", OpenApiTypes.STR, enum=["bga", "playstrategy", "abstractplay"]),
    OpenApiParameter("circuit", OpenApiTypes.STR, enum=list(Stage.Circuit.values)),
    OpenApiParameter("status", OpenApiTypes.STR, enum=list(Stage.Status.values)),
]


class Seasons(Open, ListAPIView[Season]):
    """The seasons, the latest first."""

    serializer_class = SeasonShown
    pagination_class = Paged
    queryset = Season.objects.order_by("-year")


class Games(Open, ListAPIView[Game]):
    """The games that have a rating of their own."""

    serializer_class = GameShown
    pagination_class = Paged
    queryset = Game.objects.order_by("slug")


class Stages(Open, ListAPIView[Stage]):
    """The calendar of every circuit, in the order of time."""

    serializer_class = StageShown
    pagination_class = Paged

    @extend_schema(parameters=FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Stage]:
        asked = self.request.query_params
        wanted = {
            "season__year": whole_number(asked, "season"),
            "game__slug": asked.get("game"),
            "platform": choice(asked, "platform", ("bga", "playstrategy", "abstractplay")),
            "circuit": choice(asked, "circuit", Stage.Circuit.values),
            "status": choice(asked, "status", Stage.Status.values),
        }
        stages = Stage.objects.select_related("season", "game").order_by("starts_on", "pk")
        return stages.filter(**{name: value for name, value in wanted.items() if value not in {None, ""}})


class OneStage(Open, RetrieveAPIView[Stage]):
    """A stage with its results in force, and what they did to the ratings."""

    serializer_class = StageWithResults
    lookup_field = "slug"
    queryset = Stage.objects.select_related("season", "game")

    def get_object(self) -> Stage:
        stage = super().get_object()
        current = stage.revisions.filter(state=Revision.State.CURRENT).prefetch_related(*rounds()).first()
        if current is not None:
            shown_by(stage.circuit, players_at(current))
        changes = PgrChange.objects.current().filter(stage=stage).select_related("stage", "game", *NAMED)
        stage.revision = current.number if current else 0  # type: ignore[attr-defined]
        stage.rounds = current.rounds.all() if current else []  # type: ignore[attr-defined]
        ordered = sorted(changes, key=lambda change: change.player_id)
        stage.changes = ordered  # type: ignore[attr-defined]
        stage.outcomes = outcomes.of(stage)  # type: ignore[attr-defined]
        return stage


NAMED = naming("player")


def players_at(revision: Revision) -> Iterator[Player]:
    for round_ in revision.rounds.all():
        yield from (seat.player for table in round_.tables.all() for seat in table.seats.all())


def rounds() -> list[Any]:
    seats = Prefetch("rounds__tables__seats", Seat.objects.order_by("position").select_related(*NAMED))
    return ["rounds__tables", seats]
