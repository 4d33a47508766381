"""Who sits in the finals once the semifinals are played, and who stands in for those who will not."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pergioco.rulekit.paragraph import paragraph

Table = Sequence[int]  # the players of a semifinal in the order of arrival


@dataclass(frozen=True)
class Step:
    """One who was asked: `code` says by what right, and he renounced or took the seat."""

    player: int
    code: str
    renounced: bool


@dataclass(frozen=True)
class Place:
    """A seat in the finals: whose it is by the rules, who has it, and who was asked before; nobody if all renounced."""

    entitled: int
    player: int | None
    table: int  # the semifinal, from one; 0 for a direct finalist
    chain: tuple[Step, ...] = field(default=())

    @property
    def code(self) -> str:
        return self.chain[-1].code if self.player is not None else ""


ARRIVED = ("winner", "second", "third", "fourth", "fifth")
BEST = ("", "best_second", "best_third", "best_fourth", "best_fifth")


def finalists(
    direct: Sequence[int], tables: Sequence[Table], *, ranking: Sequence[int], renounced: Collection[int]
) -> list[Place]:
    """`ranking` is the one after the two games. Direct finalists first, then the seat of each semifinal."""
    order = {player: position for position, player in enumerate(ranking)}
    asked = [of_direct(player, renounced) for player in direct]
    asked += [of_table(table, number, renounced) for number, table in enumerate(tables, 1)]
    taken = {place.player for place in asked}
    return [place if place.player is not None else stand_in(place, tables, order, taken, renounced) for place in asked]


def of_direct(player: int, renounced: Collection[int]) -> Place:
    gone = player in renounced
    return Place(player, None if gone else player, 0, (Step(player, "direct", gone),))


@paragraph("RKM", "renounced-final")
def of_table(table: Table, number: int, renounced: Collection[int]) -> Place:
    """The winner's seat passes to the second of the same table, then to the third, then to the fourth (RK-14)."""
    chain: list[Step] = []
    for player, code in zip(table, ARRIVED, strict=False):
        chain.append(Step(player, code, player in renounced))
        if player not in renounced:
            return Place(table[0], player, number, tuple(chain))
    return Place(table[0], None, number, tuple(chain))


@paragraph("RKM", "renounced-direct", "renounced-table")
def stand_in(
    place: Place,
    tables: Sequence[Table],
    order: Mapping[int, int],
    taken: set[int | None],
    renounced: Collection[int],
) -> Place:
    """The best second of the other semifinals by the ranking after the two games alone; then thirds, then fourths."""
    chain = list(place.chain)
    for player, code in candidates(place, tables, order):
        if player in taken:
            continue
        chain.append(Step(player, code, player in renounced))
        if player not in renounced:
            taken.add(player)
            return Place(place.entitled, player, place.table, tuple(chain))
    return Place(place.entitled, None, place.table, tuple(chain))


def candidates(place: Place, tables: Sequence[Table], order: Mapping[int, int]) -> Iterator[tuple[int, str]]:
    others = [table for number, table in enumerate(tables, 1) if number != place.table]
    for arrived, code in enumerate(BEST):
        if code:
            here = [table[arrived] for table in others if len(table) > arrived]
            yield from ((player, code) for player in sorted(here, key=lambda p: order.get(p, len(order))))
