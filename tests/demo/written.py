"""The demo federation, as it is on a day in March, for the tests of one module: on SQLite
in a database of its own, made once; on a server in a transaction
that is taken back at their end."""

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
from tests import migrated
from tests.conftest import NOON_IN_MARCH

seeded: list[Path] = []  # for the whole run of this process


@contextmanager
def written(blocker: DjangoDbBlocker, folder: Path) -> Iterator[None]:
    with blocker.unblock():
        if connection.vendor != "sqlite":
            with transaction.atomic(), pytest.MonkeyPatch.context() as patch:
                seed(folder)
                # That would end the transaction, which is around those of the tests
                patch.setattr(connection, "close", lambda: None)
                yield
                transaction.set_rollback(True)
            return
        if not seeded:
            path = folder / migrated.NAME
            migrated.copy_to(path)
            with using(path), transaction.atomic():
                seed(folder)
                connection.run_on_commit.clear()  # as in a transaction that is rolled back
            seeded.append(path)
        with using(seeded[0]):
            yield


@contextmanager
def using(database: Path) -> Iterator[None]:
    """Instead of the one of all other tests."""
    options = connection.settings_dict
    before = options["NAME"]
    connection.close()
    options["NAME"] = str(database)
    try:
        yield
    finally:
        connection.close()
        options["NAME"] = before


def seed(folder: Path) -> None:
    folders = {
        "MAIL_FOLDER": folder / "mail",
        "MEDIA_ROOT": folder / "media",
        "ERASURE_JOURNAL": folder / "erasures",
    }
    with (
        override_settings(DEMO=True, **folders),
        translation.override("it"),
        time_machine.travel(NOON_IN_MARCH, tick=False),
    ):
        assert seeding.seed() is True


@pytest.fixture(scope="module")
def federation(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """For a module; those of its tests that want an empty site come first."""
    with written(django_db_blocker, tmp_path_factory.mktemp("demo")):
        yield
