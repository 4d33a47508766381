"""Active ratings."""

from datetime import date

import pytest

from rankings.rules import inactive_from, is_active


@pytest.mark.parametrize(
    ("last", "active"),
    [
        (date(2026, 12, 31), True),
        (date(2025, 1, 1), True),
        (date(2024, 12, 31), False),
        (date(2027, 1, 1), False),
        (None, False),
    ],
)
def test_pgm_23_27_active_in_2026(last, active):
    assert is_active(last_valid_game=last, year=2026) is active


@pytest.mark.parametrize("last", [date(2025, 1, 1), date(2026, 3, 1), date(2026, 12, 31)])
def test_pgm_23_27_the_first_day_on_which_it_is_active_no_more(last):
    day = inactive_from(last)
    assert (day.month, day.day) == (1, 1)
    assert is_active(last_valid_game=last, year=day.year - 1)
    assert not is_active(last_valid_game=last, year=day.year)
