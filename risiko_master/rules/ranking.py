"""The ranking after one game, and the one after both that decides who goes on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, Placed, place

MOST_COUNTED = 3  # two games and a semifinal
BEST = ("best", "second_best", "third_best")
NOWHERE = 10**6


@dataclass(frozen=True)
class Record:
    """A player's points in each game, `None` where he did not play; `before` is his place in the ranking before."""

    player: int
    games: tuple[int | None, ...]
    before: int = NOWHERE

    @property
    def total(self) -> int:
        return sum(self.played)

    @property
    def played(self) -> list[int]:
        return [points for points in self.games if points is not None]

    @property
    def is_complete(self) -> bool:
        return None not in self.games

    def performance(self, number: int) -> int:
        """The best is number 0. A game that was not played is worth no more than one without points."""
        own = sorted(self.played, reverse=True)
        return own[number] if number < len(own) else 0


def best(number: int) -> Criterion:
    return Criterion(BEST[number], lambda record: record.performance(number))


TIE_BREAKS = (
    Criterion("points", attrgetter("total")),
    *(best(number) for number in range(MOST_COUNTED)),
    Criterion("round_before", lambda record: -record.before),
)


@paragraph("RKM", "ranking")
def ranking(records: Iterable[Record]) -> list[Placed[Record]]:
    """By the sum, then the best performance, the second, the third, the ranking before; places may be shared (RK-6)."""
    return place(records, TIE_BREAKS, key=attrgetter("player"))


@paragraph("RKM", "lots")
def with_lots(placed: Sequence[Placed[Record]], drawn: Mapping[int, int]) -> list[Placed[Record]]:
    """Who still shares a place is told apart by lots: player -> position in the drawn order."""
    apart: list[Placed[Record]] = []
    for _rank, group in groupby(placed, key=attrgetter("rank")):
        sharing = list(group)
        for number, own in enumerate(sorted(sharing, key=lambda p: drawn[p.row.player])):
            decided = "lots" if number else sharing[0].decided_by
            apart.append(Placed(own.rank + number, own.row, is_shared=False, decided_by=decided))
    return apart
