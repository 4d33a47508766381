"""The demo federation, written once for all tests that look at it: each of them ends in a
rollback."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.demo.written import written

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


@pytest.fixture(scope="package")
def federation(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    with written(django_db_blocker, tmp_path_factory.mktemp("demo")):
        yield


@pytest.fixture
def demo(federation, demo_site):
    """As it was written: what the test before changed is taken back."""
