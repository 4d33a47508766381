"""The suite once more, on PostgreSQL: `python -m tests.on_postgresql [arguments of pytest]`.

Of it, what this database can decide differently than SQLite, which has run everything: tests that
commit, run at once, or whose subject is a guarantee of the database (`ALWAYS`); and, of the others,
enough to run every SQL statement of the portal once. These stand in `on_postgresql.txt`, which
`--choose` writes. A module whose tests have other names than those known there runs whole, and so
does what the arguments name."""

import hashlib
import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from django.test import TestCase, TransactionTestCase

from tests import statements
from tests.servers import Missing, postgresql
from tests.statements import Function, function_of

CHOSEN = "not proof and not browser and not same_anywhere and (postgresql or not redis)"
ON_SQLITE = "not proof and not browser and not same_anywhere and not postgresql and not redis"
# Not "django_db_blocker": pytest-django hands it to every test.
ASKING = frozenset({"db", "transactional_db", "live_server", "django_db_setup"})
LIST = Path(__file__).with_suffix(".txt")
HEAD = (
    "# Written by `python -m tests.on_postgresql --choose`: module, its tests' names, those chosen"
)
# Whose subject is what databases do in their own ways: constraints, triggers, locks, raw SQL,
# search and order, JSON, the bundle, and the way from rows to published numbers
ALWAYS = (
    "tests/api/",
    "tests/big_league/test_catalogue.py",
    "tests/big_league/events/test_signing_up.py",
    "tests/big_league/test_compute.py",
    "tests/core/test_audit.py",
    "tests/core/test_audit_seals.py",
    "tests/core/test_bulk.py",
    "tests/core/test_data.py",
    "tests/core/test_enqueueing.py",
    "tests/core/test_guards.py",
    "tests/core/test_jobs.py",
    "tests/core/test_limits.py",
    "tests/core/test_locking.py",
    "tests/core/test_page_cache.py",
    "tests/core/test_race.py",
    "tests/core/test_sessions.py",
    "tests/core/test_two_person.py",
    "tests/imports/test_bundle",
    "tests/oracle/",
    "tests/players/public/test_search.py",
    "tests/players/test_duplicates.py",
    "tests/players/test_merging.py",
    "tests/players/test_name_redaction.py",
    "tests/publishing/test_",
    "tests/race/test_compute.py",
    "tests/rankings/test_compute.py",
    "tests/ratings/test_compute.py",
    "tests/ratings/test_following.py",
    "tests/ratings/test_purging.py",
    "tests/ratings/test_recompute_command.py",
    "tests/risiko_master/test_compute.py",
    "tests/risiko_master/test_drawing.py",
    "tests/stages/test_",
    "tests/system/test_checks.py",
)


class Known(NamedTuple):
    """Of one module, when the list was written."""

    names: str  # of all its tests, in a short hash
    chosen: frozenset[str]


def asks_a_database(item: pytest.Item) -> bool:
    fixtures = ASKING.intersection(getattr(item, "fixturenames", ()))
    of_django = issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
    return (
        bool(fixtures)
        or of_django
        or any(map(item.get_closest_marker, ("django_db", "postgresql")))
    )


def commits(item: pytest.Item) -> bool:
    fixtures = {"transactional_db", "live_server"}.intersection(getattr(item, "fixturenames", ()))
    case = getattr(item, "cls", None) or object
    of_django = issubclass(case, TransactionTestCase) and not issubclass(case, TestCase)
    mark = item.get_closest_marker("django_db")
    return bool(fixtures) or of_django or bool(mark and mark.kwargs.get("transaction"))


def is_always_run(item: pytest.Item) -> bool:
    return (
        item.nodeid.startswith(ALWAYS)
        or commits(item)
        or item.get_closest_marker("postgresql") is not None
    )


def names_by_module(functions: Iterable[Function]) -> dict[str, str]:
    names: defaultdict[str, set[str]] = defaultdict(set)
    for module, name in functions:
        names[module].add(name)
    return {
        module: hashlib.sha256(" ".join(sorted(of_it)).encode()).hexdigest()[:8]
        for module, of_it in names.items()
    }


def is_chosen(function: Function, names: dict[str, str], known: dict[str, Known]) -> bool:
    """Those of a module that is not known as it is now are all chosen."""
    module = known.get(function.module)
    return (
        module is None or module.names != names[function.module] or function.name in module.chosen
    )


def read_list(path: Path = LIST) -> dict[str, Known]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    known = [line.split() for line in lines if not line.startswith("#")]
    return {module: Known(names, frozenset(chosen)) for module, names, *chosen in known}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="not only what stands in the list")


def pytest_configure(config: pytest.Config) -> None:
    """Before xdist hands the options to its workers, which are given all paths as arguments."""
    if not hasattr(config, "workerinput") and config.args_source == config.ArgsSource.ARGS:
        config.option.whole = True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """First of all: the names are those of all tests, whatever else leaves some of them out."""
    names = names_by_module(function_of(item.nodeid) for item in items)
    known = {} if config.option.whole else read_list()
    wanted, others = [], []
    for item in items:
        is_wanted = asks_a_database(item) and (
            is_always_run(item) or is_chosen(function_of(item.nodeid), names, known)
        )
        (wanted if is_wanted else others).append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = wanted


class Collected:
    """All tests of the suite, by a plugin that hears of them before any is left out."""

    functions: list[Function]
    always_run: set[Function]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.functions = [function_of(item.nodeid) for item in items]
        self.always_run = {function_of(item.nodeid) for item in items if is_always_run(item)}


def lines_of_list(
    recorded: dict[Function, statements.Recorded],
    names: dict[str, str],
    always_run: set[Function],
) -> list[str]:
    run_anyway = (one.shapes for function, one in recorded.items() if function in always_run)
    chosen = statements.cheapest_cover(recorded, frozenset().union(*run_anyway))
    by_module: dict[str, list[str]] = {function.module: [] for function in sorted(recorded)}
    for function in sorted(chosen):
        by_module[function.module].append(function.name)
    return [" ".join([module, names[module], *those]) for module, those in by_module.items()]


def choose(arguments: list[str]) -> int:
    """Records one whole pass on SQLite, and writes the list."""
    collected = Collected()
    pytest.main(["--collect-only", "-qq"], plugins=[collected])
    with TemporaryDirectory() as folder:
        environment = {**os.environ, statements.FOLDER: folder}
        plugins = ["-p", "tests.statements", "-p", "tests.on_postgresql", "--whole"]
        command = [sys.executable, "-m", "pytest", *plugins, "-m", ON_SQLITE, *arguments]
        code = subprocess.run(command, env=environment, check=False).returncode
        recorded = statements.read(Path(folder))
    if code:
        return code
    names = names_by_module(collected.functions)
    lines = [HEAD, *lines_of_list(recorded, names, collected.always_run)]
    LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def run(arguments: list[str]) -> int:
    """pytest's own code; what is under way ends with us. A shell makes what runs in the background
    deaf to Ctrl-C: all that the tests start would be so, too."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with postgresql() as url:
            environment = {**os.environ, "DATABASE_URL": url, "PORTAL_TEST_POSTGRES": url}
            plugin = ["-p", "tests.on_postgresql"]
            command = [sys.executable, "-m", "pytest", *plugin, "-m", CHOSEN, *arguments]
            return subprocess.run(command, env=environment, check=False).returncode
    except Missing as missing:
        # not above: as a plugin of pytest's, this module is read before that one
        from tests.skips import (
            gather_left_out,
        )

        for line in gather_left_out({str(missing)}):
            print(line)  # noqa: T201 - for the person who typed make test
        return 1 if os.environ.get("PORTAL_NOTHING_SKIPPED") else 0


def main(arguments: list[str]) -> int:
    if "--choose" in arguments:
        return choose([argument for argument in arguments if argument != "--choose"])
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
