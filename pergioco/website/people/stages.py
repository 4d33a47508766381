"""The stages in which a player's rating moved, and the Masters: the place and the points of each, as its own page has
them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
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
from pergioco.website.people.masters import Master

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


def page_of(changes: Sequence[PgrChange], masters: Sequence[Master], number: str | None) -> Page[PgrChange | Master]:
    """The latest first."""
    every: list[PgrChange | Master] = [*changes, *masters]
    return Paginator(sorted(every, key=when, reverse=True), PER_PAGE).get_page(number)


def when(one: PgrChange | Master) -> tuple[date, bytes]:
    return one.ended_on, one.stage.slug.encode()


def played(player: Player, shown: Sequence[PgrChange | Master]) -> list[Played | Master]:
    """A Master tells its place by itself."""
    rated = [one.stage_id for one in shown if isinstance(one, PgrChange)]
    stages = Stage.objects.filter(pk__in=rated)
    parts = dict(parts_by_stage(stages, today=timezone.localdate())) if rated else {}
    return [
        one if isinstance(one, Master) else Played(one, place_of(player, one.stage, parts.get(one.stage_id, [])))
        for one in shown
    ]


def place_of(player: Player, stage: Stage, parts: list[Part]) -> Placed[Score] | None:
    order = standings(scores(parts, is_swiss=stage.system == Stage.System.SWISS))
    return next((place for place in order if place.row.player == player.pk), None)
