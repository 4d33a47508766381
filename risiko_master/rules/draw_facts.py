"""Inputs and results of a draw, and table sizes. Players are public ids, groups are numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from pergioco.rulekit.paragraph import paragraph

VERSION = (
    "rkm-draw-1"  # another algorithm has another name: an old draw is run again with the old one
)

Table = tuple[str, ...]
Groups = Mapping[str, frozenset[int]]  # player -> clubs, families and common groups
Proof = Literal["bound", "search", "open"]


@dataclass(frozen=True)
class FirstGame:
    """What the second draw depends on."""

    tables: tuple[Table, ...]
    winners: frozenset[str]


@dataclass(frozen=True)
class Measure:
    """A criterion: the cost of the tables, and a lower bound for any draw."""

    code: str
    cost: int
    bound: int

    @property
    def avoidable(self) -> int:
        # An upper bound; 0 if the bound is met.
        return self.cost - self.bound


@dataclass(frozen=True)
class Draw:
    """`proof`: all bounds are met; or all draws were searched; or open, and some cost may be
    avoidable."""

    tables: tuple[Table, ...]
    measures: tuple[Measure, ...]
    proof: Proof
    fifths: tuple[str, ...] = ()


def pairs_in(cliques: Sequence[Sequence[str]]) -> set[frozenset[str]]:
    return {frozenset(pair) for clique in cliques for pair in combinations(clique, 2)}


def cliques_of(groups: Groups) -> list[list[str]]:
    members: dict[int, list[str]] = {}
    for player in sorted(groups):
        for group in groups[player]:
            members.setdefault(group, []).append(player)
    return [members[group] for group in sorted(members)]


FOUR, FIVE = 4, 5


class ImpossibleNumber(ValueError):
    """No tables of four and five seat so many; `nearest` are the counts that can be seated."""

    def __init__(self, players: int) -> None:
        super().__init__(players)
        self.players = players
        self.nearest = nearest_possible(players)


def is_possible(players: int) -> bool:
    """Needs as many fives as the remainder by four (false for 0, 1, 2, 3, 6, 7, 11)."""
    return players > 0 and players >= FIVE * (players % FOUR)


def nearest_possible(players: int) -> tuple[int, ...]:
    below = [count for count in range(max(players, 0)) if is_possible(count)]
    above = next(
        count
        for count in range(max(players, 0) + 1, max(players, 0) + FIVE * FOUR)
        if is_possible(count)
    )
    return (*below[-1:], above)


@paragraph("RKM", "tables")
def table_sizes(players: int) -> tuple[int, ...]:
    """Fours wherever possible; the fives, three at most, come last."""
    if not is_possible(players):
        raise ImpossibleNumber(players)
    fives = players % FOUR
    fours = (players - FIVE * fives) // FOUR
    return (FOUR,) * fours + (FIVE,) * fives
