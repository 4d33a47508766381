"""The share of a point that a difference of two ratings promises, whatever the regulation that asks for it."""

from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

SCALE = 400_000  # 400 points, in thousandths
EXACT = Context(prec=50)


def expected(own: int, opponent: int) -> Decimal:
    """To fifty digits. Ratings are integer thousandths; only their difference matters."""
    return promised(opponent - own)


@lru_cache(maxsize=100_000)
def promised(difference: int) -> Decimal:
    power = EXACT.power(Decimal(10), EXACT.divide(Decimal(difference), Decimal(SCALE)))
    return EXACT.divide(Decimal(1), EXACT.add(Decimal(1), power))


def rounded(value: Decimal) -> int:
    """Half away from zero."""
    return int(value.quantize(Decimal(1), ROUND_HALF_UP))
