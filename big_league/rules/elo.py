"""The Elo of a game, for tables of any size (BIG-11: start, K and its arithmetic are ours, not the
regulation’s)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from math import lcm
from typing import NamedTuple, Self

from big_league.rules.editions import Edition
from big_league.rules.standings import Round
from big_league.rules.table import Placed, place_table
from pergioco.rulekit.numbers import EXACT, PER_POINT, expected_share, round_half_up
from pergioco.rulekit.ordering import Criterion, assign_places
from pergioco.rulekit.ordering import Placed as InRanking
from pergioco.rulekit.paragraph import paragraph

LEAST_COMMON = lcm(*range(1, 7))  # of the opponents at a table of two to seven


class Change(NamedTuple):
    """In thousandths; `games` counts the tables with an opponent."""

    player: int
    before: int
    after: int
    games: int


def rated_tables(rounds: Iterable[Round], edition: Edition) -> Iterator[list[Placed]]:
    # An absent player lost a game that was never played: no rating.
    for one in rounds:
        for parts in one.tables.values():
            there = [part for part in parts if part.kind != "no_show"]
            if len(there) > 1:
                yield place_table(there, edition)


@paragraph("BIG", "5")
def rate_tournament(
    tables: Iterable[Sequence[Placed]], ratings: Mapping[int, int], *, start: int, k: int
) -> list[Change]:
    """All tables at once, on the ratings before. Each better place is a win; K counts once a table,
    shared out among the opponents (BIG-11)."""
    gained: dict[int, Decimal] = defaultdict(Decimal)
    games: dict[int, int] = defaultdict(int)
    for table in tables:
        weight = LEAST_COMMON // (len(table) - 1)
        for one in table:
            games[one.player] += 1
        for own, other in permutations(table, 2):
            promised = expected_share(
                ratings.get(own.player, start), ratings.get(other.player, start)
            )
            surplus = EXACT.multiply(
                EXACT.subtract(pair_score(own, other), promised), Decimal(weight)
            )
            gained[own.player] = EXACT.add(gained[own.player], surplus)
    return [
        elo_change(player, ratings.get(player, start), gained[player], k, games[player])
        for player in sorted(games)
    ]


def pair_score(own: Placed, other: Placed) -> Decimal:
    if own.place == other.place:
        return Decimal("0.5")
    return Decimal(own.place < other.place)


def elo_change(player: int, before: int, gained: Decimal, k: int, games: int) -> Change:
    """Rounded once, to the thousandth. `gained` has a common denominator, which keeps ties
    exact."""
    thousandths = EXACT.divide(
        EXACT.multiply(gained, Decimal(PER_POINT * k)), Decimal(LEAST_COMMON)
    )
    return Change(player, before, round_half_up(EXACT.add(Decimal(before), thousandths)), games)


@paragraph("BIG", "5.3")
def mean_elo(ratings: Iterable[int]) -> Fraction:
    """Of all players of a tournament, before it."""
    found = list(ratings)
    return Fraction(sum(found), PER_POINT * len(found))


class Rated(NamedTuple):
    """A player's Elo in a game, with counts and the last tournament's change."""

    player: int
    elo: int
    events: int
    games: int
    moved: int
    last: str

    @classmethod
    def after(cls, change: Change, event: str, before: Self | None) -> Self:
        events, games = (before.events, before.games) if before else (0, 0)
        return cls(
            change.player,
            change.after,
            events + 1,
            games + change.games,
            change.after - change.before,
            event,
        )


@paragraph("BIG", "5")
def elo_ranking(rated: Iterable[Rated]) -> list[InRanking[Rated]]:
    """By Elo; equal values share a place."""
    return assign_places(
        rated, (Criterion("elo", lambda row: row.elo),), key=lambda row: row.player
    )
