"""Places and ranking points of one table."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from pergioco.rulekit.ordering import Criterion, Placed, assign_places
from pergioco.rulekit.paragraph import paragraph
from risiko_master.rules.editions import Edition

FIVE = 5


@dataclass(frozen=True)
class Sitting:
    """A player's part in one game; `order` is the order of play, from one."""

    player: int
    order: int
    table_points: Decimal
    off_objective: Decimal = Decimal(0)
    objective_made: bool = False


@dataclass(frozen=True)
class Scored:
    """A player's result at a table; `decided_by` separated him from the one before."""

    player: int
    place: int
    players: int
    table_points: Decimal
    off_objective: Decimal
    objective_made: bool
    order: int
    thousandths: int
    decided_by: str


ARRIVAL = (
    Criterion("objective_made", lambda s: s.objective_made),
    Criterion("table_points", lambda s: s.table_points),
    Criterion("off_objective", lambda s: s.off_objective),
    Criterion("order_of_play", lambda s: s.order),  # a later player is placed before
)


@paragraph("RKM", "table")
def arrival(sittings: Sequence[Sitting]) -> list[Placed[Sitting]]:
    """Table points, points outside the objective, inverse order of play; for every place (RK-3)."""
    return assign_places(sittings, ARRIVAL, key=lambda s: s.player)


@paragraph("RKM", "points")
def thousandths(sitting: Sitting, *, players: int, is_winner: bool, edition: Edition) -> int:
    """At a table of five only table points are weighted, not the win; rounded up, then capped
    (RK-1)."""
    if sitting.objective_made:
        return edition.most
    weight = edition.weight_of_five if players == FIVE else Decimal(1)
    points = int((sitting.table_points * weight).to_integral_value(ROUND_CEILING))
    if players == FIVE:
        points = min(points, edition.most - edition.winner)
    return points + (edition.winner if is_winner else 0)


def score_table(sittings: Sequence[Sitting], edition: Edition) -> list[Scored]:
    return [
        score_sitting(place, number, len(sittings), edition)
        for number, place in enumerate(arrival(sittings), 1)
    ]


def score_sitting(placed: Placed[Sitting], number: int, players: int, edition: Edition) -> Scored:
    own = placed.row
    return Scored(
        own.player,
        number,
        players,
        own.table_points,
        own.off_objective,
        own.objective_made,
        own.order,
        thousandths(own, players=players, is_winner=number == 1, edition=edition),
        placed.decided_by,
    )
