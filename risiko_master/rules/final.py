"""The final ranking: the finals by arrival, everybody else by points."""

from collections.abc import Iterable
from dataclasses import dataclass

from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, Placed, place
from risiko_master.rules.ranking import TIE_BREAKS, Record

LAST = 10**6


@dataclass(frozen=True)
class Finish:
    """A player at the end: the place in his final, or none, and his games before it."""

    record: Record
    arrived: int | None = None

    @property
    def player(self) -> int:
        return self.record.player


def below_the_finals(tie_break: Criterion) -> Criterion:
    """Finalists are told apart by their final alone."""
    return Criterion(tie_break.code, lambda f: 0 if f.arrived is not None else tie_break.value(f.record))


CRITERIA = (
    Criterion("final", lambda f: -(f.arrived or LAST)),
    *(below_the_finals(tie_break) for tie_break in TIE_BREAKS),
)


@paragraph("RKM", "final-ranking")
def final_ranking(finishes: Iterable[Finish]) -> list[Placed[Finish]]:
    """Same arrival in several finals, same place; behind them the sum of the games played, and no lots (RK-15)."""
    return place(finishes, CRITERIA, key=lambda f: f.player)
