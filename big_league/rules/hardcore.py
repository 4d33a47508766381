"""Games of the finals of several games, and how long one rests before it is chosen again (BIG 8.2.2)."""

from collections.abc import Iterable
from dataclasses import dataclass

from pergioco.rulekit.paragraph import paragraph

RESTS = 2  # years, whether or not a final was held in them (BIG-20)


@dataclass(frozen=True)
class Pick:
    year: int
    title: str


@paragraph("BIG", "8.2.2")
def resting(history: Iterable[Pick], year: int) -> dict[str, int]:
    """Title -> when it was chosen, of those that should not be chosen for the final of this year. A warning, no bar."""
    return {pick.title: pick.year for pick in history if 0 < year - pick.year <= RESTS}
