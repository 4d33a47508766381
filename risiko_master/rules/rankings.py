"""The rankings after one game, after two games and at the end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from pergioco.rulekit.ordering import Criterion, Placed, assign_places
from pergioco.rulekit.paragraph import paragraph

MOST_COUNTED = 3  # two games and a semifinal
BEST = ("best", "second_best", "third_best")
NOWHERE = 10**6


@dataclass(frozen=True)
class Record:
    """A player's points in each game, `None` if not played; `before` is his place in the previous
    ranking."""

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
        """The best is number 0. A game not played is worth as much as one without points."""
        own = sorted(self.played, reverse=True)
        return own[number] if number < len(own) else 0


def best_performance(number: int) -> Criterion:
    return Criterion(BEST[number], lambda record: record.performance(number))


TIE_BREAKS = (
    Criterion("points", attrgetter("total")),
    *(best_performance(number) for number in range(MOST_COUNTED)),
    Criterion("round_before", lambda record: -record.before),
)


@paragraph("RKM", "ranking")
def rank_records(records: Iterable[Record]) -> list[Placed[Record]]:
    """By the sum, then the best, second and third performance, then the previous ranking; ties stay
    (RK-6)."""
    return assign_places(records, TIE_BREAKS, key=attrgetter("player"))


@paragraph("RKM", "lots")
def break_ties_by_lots(
    placed: Sequence[Placed[Record]], drawn: Mapping[int, int]
) -> list[Placed[Record]]:
    """`drawn`: player -> position in the drawn order."""
    apart: list[Placed[Record]] = []
    for _rank, group in groupby(placed, key=attrgetter("rank")):
        sharing = list(group)
        for number, own in enumerate(sorted(sharing, key=lambda p: drawn[p.row.player])):
            decided = "lots" if number else sharing[0].decided_by
            apart.append(Placed(own.rank + number, own.row, is_shared=False, decided_by=decided))
    return apart


LAST = 10**6


@dataclass(frozen=True)
class Finish:
    """A finalist's place in his final, or none, and the games before it."""

    record: Record
    arrived: int | None = None

    @property
    def player(self) -> int:
        return self.record.player


def below_the_finals(tie_break: Criterion) -> Criterion:
    # Finalists are ordered by their final alone.
    return Criterion(
        tie_break.code, lambda f: 0 if f.arrived is not None else tie_break.value(f.record)
    )


FINAL_CRITERIA = (
    Criterion("final", lambda f: -(f.arrived or LAST)),
    *(below_the_finals(tie_break) for tie_break in TIE_BREAKS),
)


@paragraph("RKM", "final-ranking")
def final_ranking(finishes: Iterable[Finish]) -> list[Placed[Finish]]:
    """Same arrival in several finals, same place; behind them the sum of the games, without lots
    (RK-15)."""
    return assign_places(finishes, FINAL_CRITERIA, key=lambda f: f.player)
