"""Lower bounds for the cost of a draw, by counting alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from risiko_master.rules.draw_facts import FIVE, pairs_in


def spread_evenly(count: int, places: int) -> int:
    """The fewest pairs that share a place, with `count` people in `places` places."""
    if not count:
        return 0
    each, more = divmod(count, places)
    return places * (each * (each - 1) // 2) + more * each


def fewest_pairs(cliques: Sequence[Sequence[str]], fewest: Callable[[Sequence[str]], int]) -> int:
    """A sum over disjoint sets of pairs; of overlapping cliques only players without a common pair
    count."""
    taken: set[frozenset[str]] = set()
    total = 0
    for clique in sorted(cliques, key=lambda c: (-len(c), list(c))):
        apart = without_pairs(clique, taken)
        taken |= pairs_in([apart])
        total += fewest(apart)
    return total


def without_pairs(clique: Sequence[str], taken: set[frozenset[str]]) -> list[str]:
    apart: list[str] = []
    for player in clique:
        if all(frozenset((player, other)) not in taken for other in apart):
            apart.append(player)
    return apart


def fewest_of_kinds(people: int, kinds: int, tables: int) -> int:
    """Pairs of the same kind, if people are spread evenly over tables and kinds."""
    if not people:
        return 0
    each, more = divmod(people, tables)
    return (tables - more) * spread_evenly(each, kinds) + more * spread_evenly(each + 1, kinds)


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
        # Seats at fives that remain when all other players have one.
        return max(0, FIVE * self.fives - self.others)

    def fewest(self, clique: Sequence[str]) -> int:
        """Pairs of the clique at one table, in the best split over fours and fives that the first
        criterion allows."""
        sat = len(self.sat.intersection(clique))
        others = len(clique) - sat
        least = others if self.others <= FIVE * self.fives else 0
        most = len(clique) if self.again else others
        shares = (
            range(least, most + 1)
            if self.fives and self.fours
            else (len(clique) if self.fives else 0,)
        )
        return min(
            spread_evenly(share, self.fives) + spread_evenly(len(clique) - share, self.fours)
            for share in shares
        )


def second_draw_bounds(
    seats: Seats, *, winners: Sequence[str], clubs: Cliques, met: Cliques
) -> tuple[tuple[str, int], ...]:
    return (
        ("repeat", seats.again),
        ("winners", seats.fewest(winners)),
        ("group", fewest_pairs(clubs, seats.fewest)),
        ("met", max(fewest_pairs(met, seats.fewest), fewest_met(seats, met))),
    )


def fewest_met(seats: Seats, met: Cliques) -> int:
    """Counted by tables to come: of five people from four tables, two have met."""
    # who sat at no table is a kind of his own
    kinds = len(met) + seats.players - sum(map(len, met))
    kinds_sat = sum(not seats.sat.isdisjoint(table) for table in met)
    parts = (
        (seats.again, kinds_sat, seats.fives),
        (FIVE * seats.fives - seats.again, kinds - kinds_sat, seats.fives),
        (len(seats.sat) - seats.again, kinds_sat, seats.fours),
        (seats.others - FIVE * seats.fives + seats.again, kinds - kinds_sat, seats.fours),
    )
    mixed = fewest_of_kinds(FIVE * seats.fives, kinds, seats.fives) if seats.fives else 0
    mixed += (
        fewest_of_kinds(seats.players - FIVE * seats.fives, kinds, seats.fours)
        if seats.fours
        else 0
    )
    return max(mixed, sum(fewest_of_kinds(*part) for part in parts))
