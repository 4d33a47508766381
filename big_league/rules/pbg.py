"""The player's share of the points at the table, which parts equal players after the first round (BIG 4.2)."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from big_league.rules.editions import Edition
from pergioco.rulekit.paragraph import paragraph


@paragraph("BIG", "4.2")
def pbg(nets: Sequence[Decimal], *, seats: int, edition: Edition) -> list[Fraction]:
    """Of each score, bids taken off, in the sum of the table and of a ghost for each of its empty seats; where there
    is nothing to share, the same for everybody (BIG-3)."""
    scores = [Fraction(net) for net in nets]
    ghosts = (seats - len(scores)) * ghost(scores, edition)
    whole = sum(scores) + ghosts
    return [score / whole if whole > 0 else Fraction(1, seats) for score in scores]


@paragraph("BIG", "4.2")
def ghost(scores: Sequence[Fraction], edition: Edition) -> Fraction:
    """A share of the mean of the real players; it takes no place and no points (BIG-3)."""
    return edition.ghost_share * sum(scores) / len(scores)
