"""What one stage gave by itself beside the ratings: points of the Race, a tournament of BIG, rankings of a Master."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Q

from big_league.compute import OF_EVENT
from pergioco.api import paragraphs
from pergioco.ledger import published
from pergioco.ledger.models import Line
from pergioco.stages.models import Stage
from race.compute import OF_STAGE
from risiko_master.compute import kind as kind_of_master


@dataclass(frozen=True)
class Outcome:
    kind: str
    paragraphs: list[str]
    edition: int
    lines: list[Line]


def of(stage: Stage) -> list[Outcome]:
    """As the publication in force has it, of this stage alone."""
    publication = published.publication_of(stage.season)
    if publication is None or not stage.is_closed:
        return []
    computations = publication.computations.filter(own_kinds(stage))
    own: dict[str, list[Line]] = defaultdict(list)
    lines = Line.objects.filter(computation__in=computations).order_by("computation__kind", "position")
    for line in published.with_names_by_kind(lines):
        line.explained_at = explained_at(stage)  # type: ignore[attr-defined]
        own[line.computation.kind].append(line)
    return [outcome(stage, kind, found) for kind, found in own.items()]


def outcome(stage: Stage, kind: str, lines: list[Line]) -> Outcome:
    is_of_master = stage.circuit == Stage.Circuit.RKM
    name = kind.removeprefix(kind_of_master(stage.slug, "")) if is_of_master else kind.partition(":")[0]
    return Outcome(name, paragraphs.of_stage(kind), lines[0].computation.edition, lines)


def own_kinds(stage: Stage) -> Q:
    """A Master has several, each behind its slug; another stage has one."""
    if stage.circuit == Stage.Circuit.RKM:
        return Q(kind__startswith=kind_of_master(stage.slug, ""))
    return Q(kind=f"{OF_EVENT if stage.circuit == Stage.Circuit.BIG else OF_STAGE}{stage.slug}")


def explained_at(stage: Stage) -> tuple[object, ...]:
    """The page that explains a line: its name, and what stands in its address before the player."""
    if stage.circuit == Stage.Circuit.RKM:
        return ("risiko-why", stage.slug)
    return ("why-big-event", stage.slug) if stage.circuit == Stage.Circuit.BIG else ("why", "race", stage.season.year)
