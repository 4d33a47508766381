"""What all pages about people are looked at with: the same day, and a small season that is
public."""

import pytest

from tests.website import league
from tests.website.league import League


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def played() -> League:
    return league.published()
