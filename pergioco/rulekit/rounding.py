"""Exact fractions on their way to people."""

from decimal import Decimal
from fractions import Fraction
from math import floor


def half_up(value: Fraction, places: int) -> Decimal:
    """To so many decimals, half away from zero, as a spreadsheet's ROUND does."""
    units = floor(abs(value) * 10**places + Fraction(1, 2))
    return Decimal(units if value >= 0 else -units).scaleb(-places)
