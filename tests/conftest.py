"""What every test may ask for."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.cache import cache, caches
from django.db import connection
from django.test import Client, TransactionTestCase
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis

from pergioco.core import cache_versions, page_cache
from pergioco.core.cache_versions import Versions
from pergioco.core.models import User
from tests import emptying, factories, migrated, servers

pytest_plugins = ["tests.skips", "tests.proofs.figures"]
NOON_IN_MARCH = datetime(2026, 3, 12, 11, 0, tzinfo=UTC)  # 12:00 in Rome, inside the season of 2026
# The same examples in every run, however slow the machine is
hypothesis.register_profile(
    "portal",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis.load_profile("portal")
# Python looks for cycles among all that it holds, again and again: a quarter of the time of most
# tests. What is there before the first test stays to the end and need not be looked at.
gc.disable()


# What takes long begins first, so that no process works on alone at the end.
SLOW = (
    "tests/system/test_canaries.py",
    "tests/system/test_permissions.py",
    "tests/system/",
    "tests/oracle/",
    "tests/core/test_race.py",
    "tests/stages/test_race.py",
    "tests/stages/desk/test_re",
    "tests/publishing/test_faults.py",
    "tests/publishing/test_year_end",
    "tests/office/",
    "tests/imports/test_bundle",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def rank(item: pytest.Item) -> int:
        return next((n for n, start in enumerate(SLOW) if item.nodeid.startswith(start)), len(SLOW))

    items.sort(key=rank)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """pytest-django's own hook. SQLite as it is used: a file, and for each thread a connection of
    its own. In memory, which is Django's way, the live server and the test would share one, and one
    transaction."""
    if connection.vendor != "sqlite":
        yield
        return
    path = tmp_path_factory.mktemp("database") / migrated.NAME
    database = connection.settings_dict
    database["TEST"]["NAME"] = str(path)
    database["OPTIONS"]["init_command"] += (
        " PRAGMA synchronous=OFF;"  # nobody needs it after a loss of power
    )

    def copy(**_as_for_migrating: object) -> str:
        connection.close()
        migrated.copy_to(path)
        database["NAME"] = settings.DATABASES[connection.alias]["NAME"] = str(path)
        return str(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection.creation, "create_test_db", copy)
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_are_emptied_in_our_way() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            TransactionTestCase, "_fixture_teardown", lambda _case: emptying.empty_tables()
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """The same kind of hash at a hundredth of its cost: the suite makes thousands of people."""
    with pytest.MonkeyPatch.context() as patch:
        for cost, least in {"time_cost": 1, "memory_cost": 8, "parallelism": 1}.items():
            patch.setattr(Argon2PasswordHasher, cost, least)
        yield


@pytest.fixture(autouse=True)
def _own_folders(settings, tmp_path: Path) -> None:
    settings.MAIL_FOLDER = tmp_path / "mail"
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.ERASURE_JOURNAL = tmp_path / "erasures.jsonl"


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is busy opens a workbook slowly."""
    monkeypatch.setattr(
        "pergioco.imports.readers.spreadsheet.WALL_SECONDS", servers.PATIENCE_SECONDS
    )


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """The clock stands still on 12 March 2026, noon in Rome; `clock.move_to(…)` sets it."""
    with time_machine.travel(NOON_IN_MARCH, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def _no_limits_left_over(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("django_db") or {"db", "transactional_db"}.intersection(
        request.fixturenames
    ):
        request.getfixturevalue("db")  # this fixture comes first, and the cache is a table
        cache.clear()
    caches["process"].clear()
    caches["pages"].clear()


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """A page that was asked for leaves its language behind in the thread: the next test begins in
    Italian again."""
    with translation.override(settings.LANGUAGE_CODE):
        yield


@pytest.fixture
def english(_own_language: None) -> Iterator[None]:
    """For tests that compare sentences."""
    with translation.override("en"):
        yield


@pytest.fixture
def staff(db) -> User:
    return factories.user_with_role("staff")


@pytest.fixture
def organizer(db) -> User:
    return factories.user_with_role("organizer")


@pytest.fixture
def player_user(db) -> User:
    """A registered player with a login."""
    return factories.registered().person.user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def reauthenticated(user: User) -> Client:
    """Signed in, and the password typed again a moment ago."""
    client = signed_in(user)
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return client


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    try:
        with servers.postgresql() as url:
            yield url
    except servers.Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture
def redis_server() -> Iterator[tuple[str, Callable[[], None]]]:
    """Its address, and what ends it before its time."""
    with ExitStack() as stack:
        try:
            url = stack.enter_context(servers.redis())
        except servers.Missing as missing:
            pytest.skip(str(missing))
        yield url, stack.close


@pytest.fixture
def uncached(monkeypatch) -> None:
    """The versions are read, as they are outside of a test's transaction. Each visit is the
    first."""

    def read_versions() -> Versions:
        caches["pages"].clear()
        return cache_versions.query_versions()

    monkeypatch.setattr(page_cache, "read_versions", read_versions)
