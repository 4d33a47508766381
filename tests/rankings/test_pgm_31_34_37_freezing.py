"""What belongs to a year."""

from datetime import date

import pytest

from rankings.rules import belongs_to_final_rankings


@pytest.mark.parametrize(
    ("day", "inside"),
    [(date(2026, 12, 31), True), (date(2027, 1, 1), False), (date(2025, 3, 1), True)],
)
def test_pgm_31_34_37_until_31_december(day, inside):
    assert belongs_to_final_rankings(2026, played_on=day) is inside
