"""The games of a stage as its ratings counted them, and the text in which a change stores them.

A stored trace has one entry a game in the order of play, separated by spaces: round, table,
opponent, the opponent's rating before (thousandths), half points and reason, separated by dots. A
dash is a missing value: a bye has no opponent, a game that does not count has no points.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.players.models import Player
from pergioco.players.naming import UNNAMED, public_name
from pergioco.players.rules.people import PGM
from pergioco.publishing.models import PgrChange
from pergioco.rulekit.numbers import PER_POINT
from pergioco.rulekit.text import fold
from pergioco.stages.games import parts_by_stage
from pergioco.stages.models import Stage
from pergioco.stages.rules.standings import Part, is_pure_no_show
from ratings.rules import expected_share, sides_by_player

NOTHING = "-"
GAME = "%s.%s.%s.%s.%s.%s"
COST_POINTS_ONLY = "penalty"  # counts, but is no game played (PG-13)


class TracedGame(NamedTuple):
    """One table of a player; without half points it did not count, for the given reason."""

    round: int
    table: int
    opponent: int | None
    opponent_before: int | None  # thousandths
    half_points: int | None
    reason: str  # a key of REASONS

    @property
    def counts(self) -> bool:
        return self.half_points is not None

    @property
    def is_valid(self) -> bool:
        return self.counts and self.reason != COST_POINTS_ONLY


def write_trace(games: Iterable[TracedGame]) -> str:
    return " ".join([GAME % game for game in games]).replace(str(None), NOTHING)


def parse_trace(trace: str) -> list[TracedGame]:
    return [parse_traced_game(game) for game in trace.split()]


def parse_traced_game(game: str) -> TracedGame:
    round_, table, opponent, before, half_points, reason = game.split(".")
    return TracedGame(
        int(round_),
        int(table),
        parse_number(opponent),
        parse_number(before),
        parse_number(half_points),
        reason,
    )


def parse_number(text: str) -> int | None:
    return None if text == NOTHING else int(text)


# Why a table counts for a player, or why it does not (PGM 25 and 26)
REASONS: dict[str, str | Promise] = {
    "played": _("played"),
    "walkover": _("won because the opponent was absent: a valid win"),
    "quit": _("abandoned: an ordinary loss"),
    "no_show": _("absent: outside the Swiss system an ordinary loss"),
    "penalty": _("absent after the first game: a loss, once in a stage"),
    "bye": _("bye: no game"),
    "first_absence": _("absent at the first game: it costs nothing"),
    "absence_again": _("absent once more: the loss was counted already"),
}


NEVER_CAME = _("never came: it costs nothing")
NOT_RATED = _("no rating is kept of this player")


@dataclass(frozen=True)
class Side:
    """A player's side of a table; `why` it counts, or why not."""

    player: int
    game: TracedGame
    why: str | Promise


@dataclass(frozen=True)
class StageSides:
    """Players are numbered by name; unnamed ones come last."""

    changes: dict[int, PgrChange]
    sides: list[Side]

    @cached_property
    def names(self) -> dict[int, str]:
        ids = {side.player for side in self.sides} | {
            side.game.opponent for side in self.sides if side.game.opponent
        }
        named = {
            player.pk: public_name(player, PGM)
            for player in Player.objects.with_names().filter(pk__in=ids)
        }
        in_order = sorted(named, key=lambda pk: (named[pk] == UNNAMED, fold(named[pk]), pk))
        return {pk: named[pk] for pk in in_order}

    @cached_property
    def numbers(self) -> dict[int, int]:
        return {player: number for number, player in enumerate(self.names, 1)}

    @cached_property
    def moved(self) -> list[int]:
        return [player for player in self.names if player in self.changes]

    @property
    def in_order(self) -> list[Side]:
        return sorted(self.sides, key=lambda side: (self.numbers[side.player], side.game[:2]))


def read_stage_sides(stage: Stage) -> StageSides:
    changes = {
        change.player_id: change for change in PgrChange.objects.current().filter(stage=stage)
    }
    counted = [
        Side(player, game, REASONS[game.reason])
        for player, change in changes.items()
        for game in parse_trace(change.games)
    ]
    return StageSides(changes, [*counted, *uncounted_sides(stage, changes)])


def uncounted_sides(stage: Stage, changes: Iterable[int]) -> Iterator[Side]:
    # Players who never came, had only byes, or are not rated.
    parts = dict(parts_by_stage(Stage.objects.filter(pk=stage.pk), today=timezone.localdate()))
    for player, own in sides_by_player(parts.get(stage.pk, [])).items():
        if player not in changes:
            for part in own:
                game = TracedGame(*part.place, part.opponent, None, None, "")
                yield Side(player, game, why_not_rated(part, own))


def why_not_rated(part: Part, own: Sequence[Part]) -> str | Promise:
    if part.opponent is None:
        return REASONS["bye"]
    paired = [one for one in own if one.opponent is not None]
    return NEVER_CAME if is_pure_no_show(paired) else NOT_RATED


BOTH, A_POINT = 2, 2  # sides of a game; what they share, in half points


class GameGain(NamedTuple):
    """What one game gave to one player, in thousandths, before rounding."""

    half_points: int
    gain: Decimal


class Balance(NamedTuple):
    """`off` is the sum of all changes in points, which should be 0. `left_out` games are not in
    it."""

    off: Decimal
    left_out: int


def stage_balance(changes: Collection[PgrChange]) -> Balance:
    """The changes of a stage cancel out, but for games that count for one side only (PGM 25)."""
    tables: dict[tuple[int, int], list[GameGain]] = defaultdict(list)
    for change in changes:
        for game in parse_trace(change.games):
            if game.half_points is not None and game.opponent_before is not None:
                promised = expected_share(change.before, game.opponent_before)
                gain = 1000 * change.k * (Decimal(game.half_points) / 2 - promised)
                tables[game.round, game.table].append(GameGain(game.half_points, gain))
    one_sided = [sides for sides in tables.values() if not shares_one_point(sides)]
    left_out = sum((side.gain for own in one_sided for side in own), Decimal(0))
    total = Decimal(sum(change.after - change.before for change in changes)) - left_out
    # Each change was rounded once, so it may be off by half a thousandth.
    is_nothing = abs(total) * 2 <= len(changes)
    return Balance(Decimal(0) if is_nothing else total / PER_POINT, len(one_sided))


def shares_one_point(sides: list[GameGain]) -> bool:
    return len(sides) == BOTH and sum(side.half_points for side in sides) == A_POINT
