"""What a draw starts from and what it ends with. Players are their public ids, groups are numbers without a name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

VERSION = "rkm-draw-1"  # another algorithm has another name: an old draw is run again with the old one

Table = tuple[str, ...]
Groups = Mapping[str, frozenset[int]]  # player -> clubs, families and common groups
Proof = Literal["bound", "search", "open"]


@dataclass(frozen=True)
class FirstGame:
    """What the second draw looks back at."""

    tables: tuple[Table, ...]
    winners: frozenset[str]


@dataclass(frozen=True)
class Measure:
    """A criterion in numbers: what the tables cost, and what no tables at all could have saved."""

    code: str
    cost: int
    bound: int

    @property
    def avoidable(self) -> int:
        """At most so many; none at all where the bound is met."""
        return self.cost - self.bound


@dataclass(frozen=True)
class Draw:
    """`proof`: every bound is met; or every other draw was looked at; or neither, and some cost may be avoidable."""

    tables: tuple[Table, ...]
    measures: tuple[Measure, ...]
    proof: Proof
    fifths: tuple[str, ...] = ()


def pairs_in(cliques: Sequence[Sequence[str]]) -> set[frozenset[str]]:
    """Each pair once, in however many of them it is."""
    return {frozenset(pair) for clique in cliques for pair in combinations(clique, 2)}


def cliques_of(groups: Groups) -> list[list[str]]:
    """Who is in the same group: one list for each group, in the order of its number."""
    members: dict[int, list[str]] = {}
    for player in sorted(groups):
        for group in groups[player]:
            members.setdefault(group, []).append(player)
    return [members[group] for group in sorted(members)]
