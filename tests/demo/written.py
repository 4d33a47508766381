"""The demo federation, as it is on a day in March, for the tests of one module or folder; taken
back at their end."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import time_machine
from django.db import connection, transaction
from django.test import override_settings
from django.utils import translation
from pytest_django import DjangoDbBlocker

from pergioco.demo import seeding
from tests.conftest import NOON_IN_MARCH


@contextmanager
def written(blocker: DjangoDbBlocker, folder: Path) -> Iterator[None]:
    """In a transaction around those of the tests, which a connection that they close would end."""
    folders = {
        "MAIL_FOLDER": folder / "mail",
        "MEDIA_ROOT": folder / "media",
        "ERASURE_JOURNAL": folder / "erasures",
    }
    with blocker.unblock(), transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        with (
            override_settings(DEMO=True, **folders),
            translation.override("it"),
            time_machine.travel(NOON_IN_MARCH, tick=False),
        ):
            assert seeding.seed() is True
        patch.setattr(connection, "close", lambda: None)
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def federation(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """For a module of another folder, all of whose tests look at it."""
    with written(django_db_blocker, tmp_path_factory.mktemp("demo")):
        yield
