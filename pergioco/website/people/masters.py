"""A player in the RisiKo! Masters of the season: where the latest one led."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse
from django.utils.functional import Promise

from pergioco.ledger.models import Line
from pergioco.players.models import Player
from pergioco.stages.models import Stage
from risiko_master import standing_labels as labels
from risiko_master.compute import FINAL, PREFIX, QUALIFICATION, ROUND_1, kind


@dataclass(frozen=True)
class Master:
    """The line in the ranking that says most of the day, and how that ranking is called."""

    stage: Stage
    line: Line
    ranking: str | Promise
    why: str

    @property
    def points(self) -> str:
        return labels.points(self.line)


WON = Q(  # the first place may be shared
    rank=1,
    computation__kind__startswith=PREFIX,
    computation__kind__endswith=f":{FINAL}",
    computation__shown__publication__is_current=True,
)


def latest(player: Player, lines: Mapping[str, Line]) -> Master | None:
    """Of the Masters of a version, as they are published."""
    slugs = {slug for slug in map(labels.stage_of, lines) if slug}
    played = Stage.objects.filter(slug__in=slugs).select_related("game", "season") if slugs else ()
    for stage in sorted(played, key=lambda one: (one.ends_on, one.slug), reverse=True):
        for what in (FINAL, QUALIFICATION, ROUND_1):
            if line := lines.get(kind(stage.slug, what)):
                why = reverse("risiko-why", args=[stage.slug, player.public_id])
                return Master(stage, line, labels.RANKINGS[what], why)
    return None
