"""Who is called to a national final: the first of the ranking, and the reserves (BIG 7.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, place

SEATS, RESERVES = 32, 32
WITHOUT_ELO = Decimal(-1)


@dataclass(frozen=True)
class Ranked:
    """One line of the frozen ranking: the points, the results that made them, and the Elo of the game."""

    player: int
    points: Decimal
    results: tuple[Decimal, ...]
    elo: Decimal | None


@dataclass(frozen=True)
class Called:
    """`decided_by` is what put the player behind the one before. Flagged: points alone did not decide at a border."""

    player: int
    position: int
    is_reserve: bool
    decided_by: str
    is_flagged: bool


@paragraph("BIG", "7.1")
def called(
    ranking: Sequence[Ranked], drawn: Sequence[int], *, seats: int = SEATS, reserves: int = RESERVES
) -> tuple[Called, ...]:
    """Ties by the best single result, the second best …, the Elo, then the lots in the order drawn (BIG-13)."""
    lot = {player: number for number, player in enumerate(drawn)}
    criteria = (
        Criterion("points", lambda r: r.points),
        Criterion("results", lambda r: sorted(r.results, reverse=True)),
        Criterion("elo", lambda r: WITHOUT_ELO if r.elo is None else r.elo),
        Criterion("lots", lambda r: -lot[r.player]),
    )
    placed = place(ranking, criteria, key=lambda r: r.player)
    points = [one.row.points for one in placed]
    tied = {points[border] for border in (seats, seats + reserves) if is_tied(points, border)}
    return tuple(
        Called(p.row.player, position, position > seats, p.decided_by, p.row.points in tied)
        for position, p in enumerate(placed[: seats + reserves], 1)
    )


def is_tied(points: Sequence[Decimal], border: int) -> bool:
    """The last one inside and the first one outside have the same points."""
    return 0 < border < len(points) and points[border - 1] == points[border]
