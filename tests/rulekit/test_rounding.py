"""Fractions as people read them."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pergioco.rulekit.numbers import half_up


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        (Fraction(3500, 6), 2, "583.33"),
        (Fraction("986.125"), 2, "986.13"),
        (Fraction("-986.125"), 2, "-986.13"),
        (Fraction(2, 3), 0, "1"),
        (Fraction(0), 2, "0.00"),
        (Fraction(10**14 + 1, 3), 3, "33333333333333.667"),
    ],
)
def test_half_goes_away_from_zero(value, places, shown):
    assert str(half_up(value, places)) == shown


@given(st.fractions(-1000, 1000), st.integers(0, 6))
def test_it_is_never_further_off_than_half_of_the_last_digit(value, places):
    assert abs(Fraction(half_up(value, places)) - value) <= Fraction(1, 2 * 10**places)
    assert half_up(-value, places) == -half_up(value, places)


def test_it_is_a_decimal_with_its_zeros():
    assert half_up(Fraction(1, 2), 2) == Decimal("0.50")
