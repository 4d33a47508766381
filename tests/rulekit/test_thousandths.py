"""Whole thousandths, and the points that people and programs read."""

from decimal import Decimal

import pytest

from pergioco.rulekit.numbers import to_points, to_text, to_thousandths


@pytest.mark.parametrize(
    ("thousandths", "text"),
    [
        (1_010_500, "1010.500"),
        (1_000_000, "1000.000"),
        (0, "0.000"),
        (7, "0.007"),
        (-1, "-0.001"),
        (-2_500, "-2.500"),
    ],
)
def test_points_have_three_decimals(thousandths, text):
    assert (to_text(thousandths), str(to_points(thousandths))) == (text, text)
    assert to_thousandths(Decimal(text)) == thousandths
