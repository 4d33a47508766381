"""Which season a day belongs to (PGM 2, reading PG-27)."""

from datetime import date

import pytest

from pergioco.stages.models import Season
from pergioco.stages.seasons import SeasonState, season_for, season_state
from tests import factories


@pytest.mark.parametrize(
    ("day", "year", "state"),
    [
        (date(2024, 12, 31), 2025, SeasonState.NOT_OPEN),
        (date(2025, 1, 1), 2025, SeasonState.NOT_OPEN),
        (date(2025, 1, 2), 2025, SeasonState.RUNNING),
        (date(2025, 12, 31), 2025, SeasonState.RUNNING),
        (date(2026, 1, 1), 2026, SeasonState.NOT_OPEN),
        (date(2026, 1, 2), 2026, SeasonState.RUNNING),
        (date(2026, 12, 31), 2026, SeasonState.RUNNING),
        (date(2027, 1, 1), 2026, SeasonState.OVER),
        (date(2030, 6, 1), 2026, SeasonState.OVER),
    ],
)
def test_pgm_2_the_running_season_else_the_next_one_else_the_last_one(db, day, year, state):
    factories.season(2026)
    factories.season(2025)

    season = season_for(day)

    assert season is not None
    assert (season.year, season_state(season, day)) == (year, state)


def test_without_seasons_there_is_none(db):
    assert season_for(date(2026, 3, 12)) is None


def test_running_on_agrees_with_the_state(db):
    season = factories.season(2026)

    for day in (date(2026, 1, 1), date(2026, 1, 2), date(2026, 12, 31), date(2027, 1, 1)):
        assert Season.objects.running_on(day).exists() == (
            season_state(season, day) == SeasonState.RUNNING
        )
