"""The demo federation, written once for all tests that look at it: each of them ends in a
rollback."""

from pathlib import Path

import pytest

from tests.demo.written import federation  # noqa: F401 - for each module of this folder

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Who wants an empty site comes before the federation is there. Tests without a database come
    last of all, after those that empty it: their places are not for the federation."""
    places = [
        place
        for place, item in enumerate(items)
        if item.path.parent == HERE and "db" in item.fixturenames
    ]
    ours = sorted(
        (items[place] for place in places), key=lambda item: "federation" in item.fixturenames
    )
    for place, item in zip(places, ours, strict=True):
        items[place] = item


@pytest.fixture
def demo_site(db, settings, clock):
    """The embedded profile with the demo switched on, and still empty."""
    settings.DEMO = True


@pytest.fixture
def demo(federation, demo_site):  # noqa: F811 - the fixture
    """As it was written: what the test before changed is taken back."""
