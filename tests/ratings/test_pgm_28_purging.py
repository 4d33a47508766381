"""The purge of New Year's Day."""

from datetime import date

import pytest

from ratings.rules import is_purged


@pytest.mark.parametrize(
    ("last", "purged"), [(date(2022, 1, 1), False), (date(2021, 12, 31), True), (None, True)]
)
def test_pgm_28_purge_of_1_january_2026(last, purged):
    assert is_purged(is_registered=False, last_game_of_any=last, new_year=2026) is purged


def test_pgm_28_registered_players_are_never_purged():
    assert is_purged(is_registered=True, last_game_of_any=date(2000, 1, 1), new_year=2026) is False
