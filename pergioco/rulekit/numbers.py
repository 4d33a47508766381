"""Exact numbers: integer thousandths (PGR, BIG Elo, Master points), rounding, the Elo curve."""

from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import floor

PER_POINT = 1000


def to_points(thousandths: int) -> Decimal:
    """Always with three decimals."""
    return Decimal(thousandths).scaleb(-3)


def to_thousandths(points: Decimal) -> int:
    return int(points * PER_POINT)


def to_text(thousandths: int) -> str:
    """For programs, in every language: “1010.500”."""
    return f"{to_points(thousandths):f}"


def half_up(value: Fraction, places: int) -> Decimal:
    """Rounds half away from zero, as a spreadsheet's ROUND does."""
    units = floor(abs(value) * 10**places + Fraction(1, 2))
    return Decimal(units if value >= 0 else -units).scaleb(-places)


SCALE = 400_000  # 400 points, in thousandths
EXACT = Context(prec=50)


def expected_share(own: int, opponent: int) -> Decimal:
    """To fifty digits. Ratings are integer thousandths; only their difference matters."""
    return share_for_difference(opponent - own)


@lru_cache(maxsize=100_000)
def share_for_difference(difference: int) -> Decimal:
    power = EXACT.power(Decimal(10), EXACT.divide(Decimal(difference), Decimal(SCALE)))
    return EXACT.divide(Decimal(1), EXACT.add(Decimal(1), power))


def round_half_up(value: Decimal) -> int:
    """Half away from zero."""
    return int(value.quantize(Decimal(1), ROUND_HALF_UP))
