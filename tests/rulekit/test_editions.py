"""Parameters by season or by day."""

from dataclasses import dataclass
from datetime import date

import pytest

from pergioco.rulekit.editions import Editions


@dataclass(frozen=True)
class BySeason:
    since: int


@dataclass(frozen=True)
class ByDay:
    since: date


@pytest.mark.parametrize(
    ("season", "since"), [(2021, 2021), (2025, 2021), (2026, 2026), (2030, 2026)]
)
def test_the_last_edition_that_has_begun_is_in_force(season, since):
    assert Editions(BySeason(2021), BySeason(2026)).in_force(season).since == since


def test_an_edition_may_begin_on_a_day():
    editions = Editions(ByDay(date(2020, 12, 1)), ByDay(date(2026, 7, 1)))
    assert [editions.in_force(date(2026, *day)).since.year for day in ((6, 30), (7, 1))] == [
        2020,
        2026,
    ]


def test_before_the_first_edition_there_is_none_unless_it_reaches_back():
    with pytest.raises(ValueError, match="empty"):
        Editions(BySeason(2021)).in_force(2020)
    assert (
        Editions(BySeason(2021), BySeason(2026), first_reaches_back=True).in_force(2020).since
        == 2021
    )


def test_what_was_computed_by_an_edition_names_it():
    editions = Editions(BySeason(2021), BySeason(2026))
    assert editions.begun_in(2021) is editions[0]
    with pytest.raises(StopIteration):
        editions.begun_in(2022)
