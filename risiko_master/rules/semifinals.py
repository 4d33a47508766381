"""Who plays the semifinals: parallel rankings, bands, and who moves up when somebody will not play."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pergioco.rulekit.paragraph import paragraph
from risiko_master.rules.structure import AT_A_TABLE, Structure, fitted

Bands = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Group:
    """One of the parallel tournaments that follow: its bands, from each of which every table has one player."""

    number: int
    bands: Bands

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(player for band in self.bands for player in band)


@dataclass(frozen=True)
class Field:
    """Who goes on and where, after those who told before the semifinals that they will not play."""

    structure: Structure
    direct: tuple[int, ...]
    groups: tuple[Group, ...]


@paragraph("RKM", "parallel-rankings")
def parallel(players: Sequence[int], rankings: int) -> list[tuple[int, ...]]:
    """Of three: the first, fourth, seventh…; the second, fifth, eighth…; the third, sixth, ninth…"""
    return [tuple(players[number::rankings]) for number in range(rankings)]


@paragraph("RKM", "bands")
def bands(players: Sequence[int]) -> Bands:
    """In the order of the ranking, cut into equal parts; who sits with whom is drawn, one of each (RK-11)."""
    tables = len(players) // AT_A_TABLE
    return tuple(tuple(players[at : at + tables]) for at in range(0, tables * AT_A_TABLE, tables or 1))


@paragraph("RKM", "renounced-before")
def before_the_semifinals(
    found: Structure, ranking: Sequence[int], renounced: Collection[int], *, keep_direct: bool = False
) -> Structure:
    """A direct finalist who will not play makes four semifinals, though the other one would (RK-13).

    `keep_direct` is the referee's other choice: whoever of them is left stays in the final.
    """
    left = sum(player not in renounced for player in ranking[: found.direct])
    if left != found.direct:
        direct = left if keep_direct else 0
        case = "direct_finalist_renounced"
        found = replace(found, direct=direct, semifinals=AT_A_TABLE - direct, case=case)
    return fitted(found, sum(player not in renounced for player in ranking))


@paragraph("RKM", "too-few", "renounced-before")
def by_the_referee(found: Structure, direct: int, semifinals: int) -> Structure:
    """Where the regulation leaves it open, what he decided is what is played (RK-7, RK-13)."""
    return replace(found, direct=direct, semifinals=semifinals, case="referee", proposed=False)


def field(found: Structure, ranking: Sequence[int], renounced: Collection[int]) -> Field:
    """`ranking`: those with both games, in their order, lots included. The next ones move up (RK-12)."""
    there = [player for player in ranking if player not in renounced]
    playing = there[found.direct : found.goes_on]
    groups = parallel(playing, found.winners)
    return Field(
        found,
        tuple(there[: found.direct]),
        tuple(Group(number, bands(own)) for number, own in enumerate(groups, 1)),
    )
