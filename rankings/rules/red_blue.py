"""Red, by average, and Blue, by sum (PGM 24 and 29 to 34)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import attrgetter

from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, Placed, place
from rankings.rules.editions import Edition

THOUSAND = 1000


@dataclass(frozen=True)
class Active:
    """A registered player's active PGRs (thousandths), and the valid games that make them active (PG-16)."""

    player: int
    pgrs: tuple[int, ...]
    games: int


@dataclass(frozen=True)
class Standing:
    player: int
    overall: int  # PGM 24, whole points
    average: Decimal  # exact, shown beside it
    total: int  # thousandths
    active_pgrs: int
    games: int
    has_enough: bool


@paragraph("PGM", 24)
def overall_pgr(pgrs: Sequence[int]) -> int:
    """The mean of the active PGRs, rounded down to the unit: in integers, so that no mean falls below its own value."""
    return sum(pgrs) // (len(pgrs) * THOUSAND)


def standing(row: Active, edition: Edition) -> Standing:
    return Standing(
        player=row.player,
        overall=overall_pgr(row.pgrs),
        average=Decimal(sum(row.pgrs)) / (len(row.pgrs) * THOUSAND),
        total=sum(row.pgrs),
        active_pgrs=len(row.pgrs),
        games=row.games,
        has_enough=len(row.pgrs) >= edition.enough_pgrs,
    )


def standings(rows: Iterable[Active], edition: Edition) -> list[Standing]:
    """A player without an active PGR is out of both rankings (PGM 23)."""
    return [standing(row, edition) for row in rows if row.pgrs]


MORE_PGRS = Criterion("active_pgrs", attrgetter("active_pgrs"))
MORE_GAMES = Criterion("games", attrgetter("games"))
BY_PLAYER = attrgetter("player")


@paragraph("PGM", 29, 30)
def red(rows: Iterable[Standing]) -> list[Placed[Standing]]:
    """Those with enough active PGRs first, then the rest (PG-15); by the overall PGR (PG-14), then PGRs, then games."""
    tier = Criterion("tier", attrgetter("has_enough"))
    average = Criterion("average", attrgetter("overall"))
    return place(rows, (tier, average, MORE_PGRS, MORE_GAMES), key=BY_PLAYER)


@paragraph("PGM", 32, 33)
def blue(rows: Iterable[Standing]) -> list[Placed[Standing]]:
    """By the exact sum (PG-17), then PGRs, then games."""
    return place(rows, (Criterion("sum", attrgetter("total")), MORE_PGRS, MORE_GAMES), key=BY_PLAYER)
