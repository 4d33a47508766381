"""The parameters of a Master, by season. An edition once in force is never edited."""

from dataclasses import dataclass
from decimal import Decimal

from pergioco.rulekit.editions import Editions


@dataclass(frozen=True)
class Row:
    """A row of Table 1: from so many players with both games."""

    players: int
    semifinals: int
    winners: int


@dataclass(frozen=True)
class Edition:
    since: int
    winner: int  # thousandths on top of the table points
    most: int  # at a table of five, and for RisiKo! made at any table
    weight_of_five: Decimal
    most_table_points: int
    table: tuple[Row, ...]
    direct_below: int  # with fewer players who won twice goes straight to the final
    warn_from: int  # the text speaks of no more players than these (RK-8)


EDITIONS = Editions(
    Edition(
        since=2021,
        winner=1000,
        most=1100,
        weight_of_five=Decimal("1.25"),
        most_table_points=86,
        table=(Row(0, 4, 1), Row(50, 4, 1), Row(100, 8, 2), Row(150, 12, 3), Row(200, 16, 4)),
        direct_below=50,
        warn_from=250,
    ),
    first_reaches_back=True,
)
