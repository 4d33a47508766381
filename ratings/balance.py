"""The changes of a stage cancel each other out, but for games that count for one side only (PGM 25)."""

from collections import defaultdict
from collections.abc import Collection
from decimal import Decimal
from typing import NamedTuple

from pergioco.ledger.models import PgrChange
from ratings import trace
from ratings.rules.pgr import expected

BOTH, A_POINT = 2, 2  # sides of a game; what they share, in half points
THOUSAND = 1000


class Side(NamedTuple):
    """What one game gave to one player, in thousandths, before rounding."""

    half_points: int
    gain: Decimal


class Balance(NamedTuple):
    """`off` is the sum of the changes in points: nothing, if all is in order. `left_out` games do not enter it."""

    off: Decimal
    left_out: int


def of_stage(changes: Collection[PgrChange]) -> Balance:
    """Each change was rounded once: it may be off by half a thousandth."""
    tables: dict[tuple[int, int], list[Side]] = defaultdict(list)
    for change in changes:
        for game in trace.parse(change.games):
            if game.half_points is not None and game.opponent_before is not None:
                promised = expected(change.before, game.opponent_before)
                gain = 1000 * change.k * (Decimal(game.half_points) / 2 - promised)
                tables[game.round, game.table].append(Side(game.half_points, gain))
    one_sided = [sides for sides in tables.values() if not is_shared(sides)]
    left_out = sum((side.gain for own in one_sided for side in own), Decimal(0))
    total = Decimal(sum(change.after - change.before for change in changes)) - left_out
    is_nothing = abs(total) * 2 <= len(changes)
    return Balance(Decimal(0) if is_nothing else total / THOUSAND, len(one_sided))


def is_shared(sides: list[Side]) -> bool:
    """What one of the two wins the other loses."""
    return len(sides) == BOTH and sum(side.half_points for side in sides) == A_POINT
