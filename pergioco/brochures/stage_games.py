"""What one stage did to the ratings of its game, as rows: every player's side of every table, counted or not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.ledger.models import PgrChange
from pergioco.players.models import Player
from pergioco.players.naming import UNNAMED, public_name
from pergioco.rulekit.folding import fold
from pergioco.stages.games import parts_by_stage
from pergioco.stages.models import Stage
from pergioco.stages.rules.parts import Part, is_pure_no_show
from ratings.labels import REASONS
from ratings.rules.counting import by_player
from ratings.trace import TracedGame, parse

NEVER_CAME = _("never came: it costs nothing")
NOT_RATED = _("no rating is kept of this player")


@dataclass(frozen=True)
class Side:
    """A player's side of a table. Without points it does not count, and `why` says so."""

    player: int
    round: int
    table: int
    opponent: int | None
    opponent_before: int | None
    half_points: int | None
    why: str | Promise


@dataclass(frozen=True)
class StageGames:
    """Players are numbered by name; those without one come last."""

    changes: dict[int, PgrChange]
    sides: list[Side]

    @cached_property
    def names(self) -> dict[int, str]:
        """Player -> name, in the order of the sheet."""
        ids = {side.player for side in self.sides} | {side.opponent for side in self.sides if side.opponent}
        named = {player.pk: public_name(player) for player in Player.objects.with_names().filter(pk__in=ids)}
        in_order = sorted(named, key=lambda pk: (named[pk] == UNNAMED, fold(named[pk]), pk))
        return {pk: named[pk] for pk in in_order}

    @cached_property
    def numbers(self) -> dict[int, int]:
        return {player: number for number, player in enumerate(self.names, 1)}

    @cached_property
    def moved(self) -> list[int]:
        """Those with a rating before and after."""
        return [player for player in self.names if player in self.changes]

    @property
    def in_order(self) -> list[Side]:
        return sorted(self.sides, key=lambda side: (self.numbers[side.player], side.round, side.table))


def of_stage(stage: Stage) -> StageGames:
    changes = {change.player_id: change for change in PgrChange.objects.current().filter(stage=stage)}
    counted = [traced(player, game) for player, change in changes.items() for game in parse(change.games)]
    return StageGames(changes, [*counted, *untouched(stage, changes)])


def traced(player: int, game: TracedGame) -> Side:
    return Side(
        player, game.round, game.table, game.opponent, game.opponent_before, game.half_points, REASONS[game.reason]
    )


def untouched(stage: Stage, changes: Iterable[int]) -> Iterator[Side]:
    """Those whose rating the stage did not move: they never came, had only byes, or have no rating at all."""
    parts = dict(parts_by_stage(Stage.objects.filter(pk=stage.pk), today=timezone.localdate()))
    for player, own in by_player(parts.get(stage.pk, [])).items():
        if player not in changes:
            yield from (Side(player, *part.place, part.opponent, None, None, why_not(part, own)) for part in own)


def why_not(part: Part, own: Sequence[Part]) -> str | Promise:
    if part.opponent is None:
        return REASONS["bye"]
    paired = [one for one in own if one.opponent is not None]
    return NEVER_CAME if is_pure_no_show(paired) else NOT_RATED
