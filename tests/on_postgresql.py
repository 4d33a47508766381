"""The suite once more, on PostgreSQL: `python -m tests.on_postgresql [arguments of pytest]`.

Of it, all that asks a database, and what wants this one. What asks none can only do the same again,
and so can what says that it is `same_anywhere`: long walks through all pages, which ask who gets an
answer and what stands in it."""

import os
import signal
import subprocess
import sys

import pytest
from django.test import TransactionTestCase

from tests.servers import Missing, postgresql

CHOSEN = "not proof and not browser and not same_anywhere and (postgresql or not redis)"
# Not "django_db_blocker": pytest-django hands it to every test.
ASKING = frozenset({"db", "transactional_db", "live_server", "django_db_setup"})


def asks_a_database(item: pytest.Item) -> bool:
    fixtures = ASKING.intersection(getattr(item, "fixturenames", ()))
    of_django = issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
    return (
        bool(fixtures)
        or of_django
        or any(map(item.get_closest_marker, ("django_db", "postgresql")))
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    others = [item for item in items if not asks_a_database(item)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if asks_a_database(item)]


def main() -> int:
    """pytest's own code; what is under way ends with us. A shell makes what runs in the background
    deaf to Ctrl-C: all that the tests start would be so, too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with postgresql() as url:
            environment = {**os.environ, "DATABASE_URL": url, "PORTAL_TEST_POSTGRES": url}
            command = [
                sys.executable,
                "-m",
                "pytest",
                "-p",
                "tests.on_postgresql",
                "-m",
                CHOSEN,
                *sys.argv[1:],
            ]
            return subprocess.run(command, env=environment, check=False).returncode
    except Missing as missing:
        # not above: as a plugin of pytest's, this module is read before that one
        from tests.skips import (
            gather_left_out,
        )

        for line in gather_left_out({str(missing)}):
            print(line)  # noqa: T201 - for the person who typed make test
        return 1 if os.environ.get("PORTAL_NOTHING_SKIPPED") else 0


if __name__ == "__main__":
    sys.exit(main())
