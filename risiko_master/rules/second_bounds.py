"""Below which cost no second draw can go: who sat at a table of five sits at a four, if there is one."""

from collections.abc import Sequence
from dataclasses import dataclass

from risiko_master.rules.bounds import fewest_of_kinds, fewest_pairs, spread_evenly
from risiko_master.rules.tables import FIVE

Cliques = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Seats:
    """Tables to come, and the players who sat at a five before."""

    fours: int
    fives: int
    players: int
    sat: frozenset[str]

    @property
    def others(self) -> int:
        return self.players - len(self.sat)

    @property
    def again(self) -> int:
        """Of the seats at fives, those that are left when everybody else has one."""
        return max(0, FIVE * self.fives - self.others)

    def fewest(self, clique: Sequence[str]) -> int:
        """Spread evenly over the fours and over the fives, in the best share that the first criterion allows."""
        sat = len(self.sat.intersection(clique))
        others = len(clique) - sat
        least = others if self.others <= FIVE * self.fives else 0
        most = len(clique) if self.again else others
        shares = range(least, most + 1) if self.fives and self.fours else (len(clique) if self.fives else 0,)
        return min(
            spread_evenly(share, self.fives) + spread_evenly(len(clique) - share, self.fours) for share in shares
        )


def bounds(seats: Seats, *, winners: Sequence[str], clubs: Cliques, met: Cliques) -> tuple[tuple[str, int], ...]:
    return (
        ("repeat", seats.again),
        ("winners", seats.fewest(winners)),
        ("group", fewest_pairs(clubs, seats.fewest)),
        ("met", max(fewest_pairs(met, seats.fewest), fewest_met(seats, met))),
    )


def fewest_met(seats: Seats, met: Cliques) -> int:
    """From the tables to come: at a table of five people from four tables two have met."""
    kinds = len(met) + seats.players - sum(map(len, met))  # who sat at no table is a kind of his own
    kinds_sat = sum(not seats.sat.isdisjoint(table) for table in met)
    parts = (
        (seats.again, kinds_sat, seats.fives),
        (FIVE * seats.fives - seats.again, kinds - kinds_sat, seats.fives),
        (len(seats.sat) - seats.again, kinds_sat, seats.fours),
        (seats.others - FIVE * seats.fives + seats.again, kinds - kinds_sat, seats.fours),
    )
    mixed = fewest_of_kinds(FIVE * seats.fives, kinds, seats.fives) if seats.fives else 0
    mixed += fewest_of_kinds(seats.players - FIVE * seats.fives, kinds, seats.fours) if seats.fours else 0
    return max(mixed, sum(fewest_of_kinds(*part) for part in parts))
