"""The stages in which a player's rating moved: the place and the points of each, as its own page has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.core.paginator import Page, Paginator
from django.utils import timezone

from pergioco.ledger.models import PgrChange
from pergioco.players.models import Player
from pergioco.rulekit.placing import Placed
from pergioco.stages.games import parts_by_stage
from pergioco.stages.models import Stage
from pergioco.stages.rules.parts import Part
from pergioco.stages.rules.standings import Score, scores, standings

PER_PAGE = 20


@dataclass(frozen=True)
class Played:
    change: PgrChange
    place: Placed[Score] | None  # nothing for who is not classified in it

    @property
    def points(self) -> Decimal | None:
        return Decimal(self.place.row.half_points) / 2 if self.place else None

    @property
    def moved(self) -> Decimal:
        return Decimal(self.change.after - self.change.before).scaleb(-3)


def page_of(changes: Sequence[PgrChange], number: str | None) -> Page[PgrChange]:
    """The latest first."""
    return Paginator(changes[::-1], PER_PAGE).get_page(number)


def played(player: Player, changes: Sequence[PgrChange]) -> list[Played]:
    stages = Stage.objects.filter(pk__in=[change.stage_id for change in changes])
    parts = dict(parts_by_stage(stages, today=timezone.localdate())) if changes else {}
    return [Played(change, place_of(player, change.stage, parts.get(change.stage_id, []))) for change in changes]


def place_of(player: Player, stage: Stage, parts: list[Part]) -> Placed[Score] | None:
    order = standings(scores(parts, is_swiss=stage.system == Stage.System.SWISS))
    return next((place for place in order if place.row.player == player.pk), None)
