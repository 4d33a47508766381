"""Seasons, games, and stages with their results."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from rest_framework.generics import RetrieveAPIView

from big_league.compute import OF_EVENT
from pergioco.api import serializers
from pergioco.api.base import PublicApiView, PublicList
from pergioco.api.parameters import PAGES, one_of, slug, whole_number
from pergioco.api.serializers import GameShown, SeasonShown, StageShown, StageWithResults
from pergioco.players.models.people import naming_paths
from pergioco.publishing import published
from pergioco.publishing.models import Line, PgrChange
from pergioco.stages.models import Game, Revision, Season, Seat, Stage
from race.compute import OF_STAGE
from risiko_master.compute import computation_kind as kind_of_master

PLATFORMS = ["bga", "playstrategy", "abstractplay"]
# Parameters of the address, and what each filters
FILTERS = (
    (whole_number("season", 0, 9999, "no year", example=2026), "season__year"),
    (slug("game", "Slug of the game.", example="go"), "game__slug"),
    (one_of("platform", PLATFORMS), "platform"),
    (one_of("circuit", Stage.Circuit.values, example=Stage.Circuit.PGM.value), "circuit"),
    (one_of("status", Stage.Status.values, example=Stage.Status.CLOSED.value), "status"),
)


class Seasons(PublicList[Season]):
    """The seasons, the latest first."""

    serializer_class = SeasonShown
    queryset = Season.objects.order_by("-year")


class Games(PublicList[Game]):
    """The games that have a rating of their own."""

    serializer_class = GameShown
    queryset = Game.objects.order_by("slug")


class Stages(PublicList[Stage]):
    """The calendar of every circuit, in the order of time."""

    serializer_class = StageShown
    parameters = (*(one for one, _path in FILTERS), *PAGES)

    def get_queryset(self) -> QuerySet[Stage]:
        stages = Stage.objects.select_related("season", "game").order_by("starts_on", "pk")
        wanted = {path: self.query[one.name] for one, path in FILTERS if one.name in self.query}
        return stages.filter(**wanted)


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
