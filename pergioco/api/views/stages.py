"""Seasons, games, and stages with their results."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.generics import RetrieveAPIView

from big_league.compute import OF_EVENT
from pergioco.api import serializers
from pergioco.api.base import PublicApiView, PublicList, read_choice, read_year
from pergioco.api.serializers import GameShown, SeasonShown, StageShown, StageWithResults
from pergioco.players.models.people import naming_paths
from pergioco.publishing import published
from pergioco.publishing.models import Line, PgrChange
from pergioco.stages.models import Game, Revision, Season, Seat, Stage
from race.compute import OF_STAGE
from risiko_master.compute import computation_kind as kind_of_master

PLATFORMS = ["bga", "playstrategy", "abstractplay"]
FILTERS = [
    OpenApiParameter("season", {"type": "integer", "minimum": 0, "maximum": 9999}),
    OpenApiParameter("game", OpenApiTypes.STR, description="slug of the game"),
    OpenApiParameter("platform", OpenApiTypes.STR, enum=PLATFORMS),
    OpenApiParameter("circuit", OpenApiTypes.STR, enum=list(Stage.Circuit.values)),
    OpenApiParameter("status", OpenApiTypes.STR, enum=list(Stage.Status.values)),
]


class Seasons(PublicList[Season]):
    """The seasons, the latest first."""

    serializer_class = SeasonShown
    queryset = Season.objects.order_by("-year")


class Games(PublicList[Game]):
    """The games that have a rating of their own."""

    serializer_class = GameShown
    queryset = Game.objects.order_by("slug")


@extend_schema_view(get=extend_schema(parameters=FILTERS))
class Stages(PublicList[Stage]):
    """The calendar of every circuit, in the order of time."""

    serializer_class = StageShown

    def get_queryset(self) -> QuerySet[Stage]:
        query = self.request.query_params
        wanted = {
            "season__year": read_year(query, "season"),
            "game__slug": query.get("game"),
            "platform": read_choice(query, "platform", PLATFORMS),
            "circuit": read_choice(query, "circuit", Stage.Circuit.values),
            "status": read_choice(query, "status", Stage.Status.values),
        }
        stages = Stage.objects.select_related("season", "game").order_by("starts_on", "pk")
        return stages.filter(
            **{name: value for name, value in wanted.items() if value not in {None, ""}}
        )


class OneStage(PublicApiView, RetrieveAPIView[Stage]):
    """A stage with its results in force, and what they did to the ratings."""

    serializer_class = StageWithResults
    lookup_field = "slug"
    queryset = Stage.objects.select_related("season", "game")
    circuit: str = Stage.Circuit.PGM

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "circuit": self.circuit}

    def get_object(self) -> Stage:
        stage = super().get_object()
        revisions = stage.revisions.filter(state=Revision.State.CURRENT)
        current = revisions.prefetch_related(*prefetch_rounds()).first()
        self.circuit = stage.circuit
        changes = PgrChange.objects.current().filter(stage=stage).order_by("player_id", "pk")
        stage.revision = current.number if current else 0  # type: ignore[attr-defined]
        stage.rounds = current.rounds.all() if current else []  # type: ignore[attr-defined]
        stage.changes = changes.select_related("stage", "game", *NAMED)  # type: ignore[attr-defined]
        stage.outcomes = list_stage_outcomes(stage)  # type: ignore[attr-defined]
        return stage


NAMED = naming_paths("player")


def prefetch_rounds() -> list[Any]:
    seats = Prefetch(
        "rounds__tables__seats", Seat.objects.order_by("position").select_related(*NAMED)
    )
    return ["rounds__tables", seats]


@dataclass(frozen=True)
class Outcome:
    kind: str
    paragraphs: list[str]
    edition: int
    lines: list[Line]


def list_stage_outcomes(stage: Stage) -> list[Outcome]:
    publication = published.find_publication(stage.season)
    if publication is None or not stage.is_closed:
        return []
    computations = publication.computations.filter(filter_stage_kinds(stage))
    own: dict[str, list[Line]] = defaultdict(list)
    lines = Line.objects.filter(computation__in=computations).order_by(
        "computation__kind", "position"
    )
    for line in published.lines_with_names_by_kind(lines):
        line.explained_at = explanation_address(stage)  # type: ignore[attr-defined]
        own[line.computation.kind].append(line)
    return [make_outcome(stage, kind, found) for kind, found in own.items()]


def make_outcome(stage: Stage, kind: str, lines: list[Line]) -> Outcome:
    own_prefix = kind_of_master(stage.slug, "")
    is_of_master = stage.circuit == Stage.Circuit.RKM
    name = kind.removeprefix(own_prefix) if is_of_master else kind.partition(":")[0]
    return Outcome(name, serializers.stage_paragraphs(kind), lines[0].computation.edition, lines)


def filter_stage_kinds(stage: Stage) -> Q:
    # A Master has several kinds, each prefixed by its slug; other stages have one
    if stage.circuit == Stage.Circuit.RKM:
        return Q(kind__startswith=kind_of_master(stage.slug, ""))
    return Q(kind=f"{OF_EVENT if stage.circuit == Stage.Circuit.BIG else OF_STAGE}{stage.slug}")


def explanation_address(stage: Stage) -> tuple[object, ...]:
    """The URL name of the page that explains a line, and its arguments before the player."""
    if stage.circuit == Stage.Circuit.PGM:
        return ("why", "race", stage.season.year)
    is_of_master = stage.circuit == Stage.Circuit.RKM
    return ("risiko-why" if is_of_master else "why-big-event", stage.slug)
