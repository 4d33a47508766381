"""A player in the RisiKo! Masters: where each one led, as it is published."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Q
from django.urls import reverse
from django.utils.functional import Promise

from pergioco.ledger.models import Line
from pergioco.stages.models import Season, Stage
from risiko_master import standing_labels as labels
from risiko_master.compute import FINAL, GAME, PREFIX, QUALIFICATION, ROUND_1

BEST_FIRST = (FINAL, QUALIFICATION, ROUND_1)  # what says most of the day


@dataclass(frozen=True)
class Master:
    """The line in the ranking that says most of the day, and how that ranking is called."""

    stage: Stage
    line: Line
    what: str
    why: str

    @property
    def ended_on(self) -> date:
        return self.stage.ends_on

    @property
    def ranking(self) -> str | Promise:
        return labels.RANKINGS[self.what]

    @property
    def rank(self) -> int | None:
        """In the final order; nothing while there is none."""
        return self.line.rank if self.what == FINAL else None

    @property
    def points(self) -> str:
        return labels.points(self.line)


# Of each Master the rankings that are public, without its single games
PLAYED = Q(
    ~Q(computation__kind__contains=f":{GAME}:"),
    computation__kind__startswith=PREFIX,
    computation__shown__publication__is_current=True,
)


def is_won(line: Line) -> bool:
    """The first place may be shared."""
    return line.rank == 1 and line.computation.kind.endswith(f":{FINAL}")


def played(lines: Iterable[Line]) -> list[Master]:
    """The latest first. Among the lines may be those of other rankings."""
    own: dict[str, dict[str, Line]] = defaultdict(dict)
    for line in lines:
        if slug := labels.stage_of(line.computation.kind):
            own[slug][line.computation.kind.rpartition(":")[2]] = line
    stages = Stage.objects.filter(slug__in=own).select_related("game", "season") if own else ()
    in_order = sorted(stages, key=lambda one: (one.ends_on, one.slug), reverse=True)
    return [master(stage, own[stage.slug]) for stage in in_order]


def master(stage: Stage, lines: Mapping[str, Line]) -> Master:
    what = next(one for one in BEST_FIRST if one in lines)
    why = reverse("risiko-why", args=[stage.slug, lines[what].player.public_id])
    return Master(stage, lines[what], what, why)


def latest(masters: Iterable[Master], season: Season) -> Master | None:
    return next((one for one in masters if one.stage.season_id == season.pk), None)
