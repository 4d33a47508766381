"""Days and times as each language writes them."""

from datetime import UTC, date, datetime

import pytest
from django.utils import translation
from django.utils.formats import date_format

DAY, INSTANT = date(2026, 3, 1), datetime(2026, 3, 1, 17, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "day", "short"),
    [
        ("it", "1 marzo 2026", "01/03/2026"),
        ("en", "1 March 2026", "01/03/2026"),
        ("es", "1 de marzo de 2026", "01/03/2026"),
    ],
)
def test_days(language, day, short):
    with translation.override(language):
        assert (date_format(DAY), date_format(DAY, "SHORT_DATE_FORMAT")) == (day, short)


@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_the_clock_has_24_hours(language):
    with translation.override(language):
        assert date_format(INSTANT, "DATETIME_FORMAT").endswith(", 17:05")
