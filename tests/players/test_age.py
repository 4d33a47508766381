"""PGM 3, reading PG-26."""

from datetime import date

import pytest

from pergioco.players.rules.people import age_on, may_register


@pytest.mark.parametrize(
    ("birth", "today", "allowed"),
    [
        (date(2010, 3, 12), date(2026, 3, 12), True),  # sixteen today
        (date(2010, 3, 13), date(2026, 3, 12), False),  # sixteen tomorrow
        (date(2008, 2, 29), date(2024, 2, 28), False),
        (date(2008, 2, 29), date(2024, 2, 29), True),
        (date(2012, 2, 29), date(2028, 2, 29), True),
        (date(1931, 1, 1), date(2026, 3, 12), True),
    ],
)
def test_pgm_3_sixteen_on_the_day_of_registration(birth, today, allowed):
    assert may_register(birth_date=birth, today=today) is allowed


def test_pgm_3_born_on_29_february_turns_sixteen_on_1_march_of_a_common_year():
    assert age_on(date(2029, 2, 28), date(2012, 2, 29)) == 16
    assert age_on(date(2027, 2, 28), date(2011, 3, 1)) == 15
