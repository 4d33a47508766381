"""`make run` and `make test`: what they say, what they leave out, how they end."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.on_postgresql import asks_a_database
from tests.servers import PATIENCE_SECONDS, Missing, free_port, wait_until
from tests.skips import gather_left_out
from tests.system.test_containers import packages

ROOT = Path(__file__).parents[2]
SCRIPTS = [
    "docker/audit",
    "docker/backup",
    "docker/check-catalogues",
    "docker/find-python",
    "docker/lint",
    "docker/messages",
    "docker/restore",
    "docker/run-embedded",
    "docker/test",
]
ONE_OF_EACH = """
import pytest


def test_passes():
    assert 1 + 1 == 2


@pytest.mark.parametrize("number", [1, 2])
def test_is_not_run(number):
    pytest.skip("tests that need a server")
"""


def environment_in(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHON": sys.executable,
        "PORTAL_DATA_DIR": str(folder / "var"),
    }


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return environment_in(tmp_path)


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_is_plain_shell(script):
    assert (ROOT / script).read_text(encoding="utf-8").startswith("#!/bin/sh\n# ")
    subprocess.run(["/bin/sh", "-n", ROOT / script], check=True)


def test_the_script_of_ci_is_sound_and_lists_every_script():
    subprocess.run(["/bin/bash", "-n", ROOT / ".ci" / "run"], check=True)
    files = {path for path in (ROOT / "docker").iterdir() if path.is_file() and not path.suffix}
    shell = files - {ROOT / "docker" / "Caddyfile"}
    assert sorted(str(path.relative_to(ROOT)) for path in shell) == SCRIPTS


def test_a_port_that_is_taken_is_said_in_a_sentence(environment):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        run = ["/bin/sh", ROOT / "docker" / "run-embedded"]
        done = subprocess.run(
            run, env={**environment, "PORT": str(port)}, capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stdout) == (
        1,
        (
            f"Port {port} cannot be used: another program has it, perhaps this portal. Try: make "
            f"run PORT={port + 1}\n"
        ),
    )


def copy_tree(copy: Path) -> Path:
    """What the portal is made of, so that nobody edits it between two starts."""
    for name in ("docker", "locale", "requirements", "static", "templates", *packages()):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", copy)
    return copy


@contextmanager
def heard_ctrl_c() -> Iterator[None]:
    """Programs that are started meanwhile hear Ctrl-C. Those of a shell in the background do not,
    and hand that on."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def started(tree: Path, environment: dict[str, str]) -> Iterator[Path]:
    """Until the block ends: then it is stopped, as by Ctrl-C. Yields the file with what it says."""
    said = tree / "said.txt"
    run = ["/bin/sh", tree / "docker" / "run-embedded"]
    with said.open("wb") as out, heard_ctrl_c():
        portal = subprocess.Popen(run, env=environment, stdout=out, start_new_session=True)
    try:
        for answers in (
            lambda: page(environment, "/it/"),
            lambda: said.read_bytes().index(b"Ctrl-C ends it"),
        ):
            wait_until(answers, alive=lambda: portal.poll() is None, seconds=5 * PATIENCE_SECONDS)
        yield said
    finally:
        ended_by_itself = portal.poll() is not None
        if not ended_by_itself:
            os.killpg(portal.pid, signal.SIGINT)
        assert (portal.wait(PATIENCE_SECONDS), ended_by_itself) == (0, False), said.read_text(
            encoding="utf-8"
        )


def page(environment: dict[str, str], path: str) -> int:
    address = f"http://127.0.0.1:{environment['PORT']}{path}"
    with urllib.request.urlopen(address, timeout=PATIENCE_SECONDS) as response:
        return response.status


@dataclass(frozen=True)
class FirstStart:
    tree: Path
    environment: dict[str, str]
    said: str
    pages: list[int]


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> FirstStart:
    """Once for all who need a demo that is prepared: nothing here takes longer."""
    folder = tmp_path_factory.mktemp("demo")
    tree = copy_tree(folder / "tree")
    environment = environment_in(folder) | {"PORT": str(free_port())}
    with started(tree, environment) as said:
        pages = [page(environment, path) for path in ("/it/", "/en/", "/es/", "/readyz")]
    return FirstStart(tree, environment, said.read_text(encoding="utf-8"), pages)


def test_the_demo_season_is_served_in_three_languages_and_the_second_start_prepares_nothing(
    first_start,
):
    environment = first_start.environment
    assert first_start.pages == [200, 200, 200, 200]
    last_prepared = Path(environment["PORTAL_DATA_DIR"], "demo-logins.txt")
    prepared_at = last_prepared.stat().st_mtime_ns
    with started(first_start.tree, environment) as said:
        assert page(environment, "/readyz") == 200
    second = said.read_text(encoding="utf-8")
    assert last_prepared.stat().st_mtime_ns == prepared_at
    assert "Preparing the database" in first_start.said
    assert "Preparing the database" not in second
    assert "player@example.org" in second
    assert f"The portal is on http://127.0.0.1:{environment['PORT']}/" in second
    assert second.splitlines()[-1] == "The portal has stopped."


def test_when_the_server_does_not_start_nothing_is_left_running(first_start):
    environment = first_start.environment | {"GUNICORN_CMD_ARGS": "--no-such-option"}
    run = ["/bin/sh", first_start.tree / "docker" / "run-embedded"]
    # returns when the last process that could write there has ended
    done = subprocess.run(
        run,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=5 * PATIENCE_SECONDS,
    )
    assert done.returncode == 2
    assert "--no-such-option" in done.stderr


@pytest.mark.parametrize(("variables", "code"), [({}, 0), ({"PORTAL_NOTHING_SKIPPED": "1"}, 1)])
def test_each_kind_of_tests_left_out_has_one_line_and_ci_accepts_none(
    environment, tmp_path, variables, code
):
    (tmp_path / "test_one_of_each.py").write_text(ONE_OF_EACH, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.skips",
        "--rootdir",
        ROOT,
        "-c",
        ROOT / "pyproject.toml",
    ]
    done = subprocess.run(
        [*command, tmp_path],
        cwd=ROOT,
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert re.findall(r"^Left out: .*", done.stdout, re.MULTILINE) == [
        "Left out: tests that need a server"
    ]


def test_what_several_passes_left_out_is_gathered_to_be_said_once(tmp_path, monkeypatch):
    gathered = tmp_path / "left-out"
    monkeypatch.setenv("PORTAL_LEFT_OUT", str(gathered))
    sentence = str(Missing("Redis", "redis-server"))
    assert gather_left_out({sentence}) == gather_left_out({sentence}) == []
    line = (
        "Left out: tests that need Redis, which is not installed (on Debian: apt install "
        "redis-server)"
    )
    assert gathered.read_text(encoding="utf-8").splitlines() == [line, line]


# Stands in for Python: writes down which pass was begun and ended, and ends with the code that the
# test wants.
PASSES = """#!/bin/sh
case "$*" in
    *collect-only*) exit "$BROWSER_FINDS" ;;
    *on_postgresql*) name=postgresql; code=$POSTGRESQL ;;
    *'-m browser and not proof'*) name=browser; code=$BROWSER ;;
    *'-m not browser and not proof'*) name=sqlite; code=$SQLITE ;;
esac
echo "begin $name" >>"$PASSES"
until [ "$name" = browser ] || [ "$(grep -c begin "$PASSES")" = 2 ]; do sleep 0.1; done
for last; do :; done
echo "end $name $last" >>"$PASSES"
echo "$name: as pytest sums up"
echo "Left out: tests that need a server" >>"$PORTAL_LEFT_OUT"
exit "$code"
"""
DONE, FAILED, NOTHING = "0", "1", "5"


@pytest.fixture
def passes(tmp_path: Path) -> Callable[..., tuple[subprocess.CompletedProcess[str], list[str]]]:
    """Runs docker/test on the stand-in: what it said, and what was begun and ended."""
    python, noted = tmp_path / "python", tmp_path / "passes"
    python.write_text(PASSES, encoding="ascii")
    python.chmod(0o755)

    def run(**codes: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        codes = {"BROWSER_FINDS": codes["BROWSER"], "PASSES": str(noted), **codes}
        environment = {"PATH": os.environ["PATH"], "PYTHON": str(python), **codes}
        command = ["/bin/sh", ROOT / "docker" / "test", "tests/x.py"]
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )
        return done, noted.read_text(encoding="ascii").splitlines()

    return run


def test_what_asks_no_database_is_not_tried_on_another(request):
    assert not asks_a_database(request.node)


@pytest.mark.django_db
def test_what_asks_one_is(request):
    assert asks_a_database(request.node)


def test_both_databases_are_tried_at_once_and_browsers_have_the_machine_to_themselves(passes):
    """Each of the first two passes of the stand-in waits for the other to begin."""
    done, noted = passes(SQLITE=DONE, POSTGRESQL=DONE, BROWSER=DONE)
    assert sorted(noted[:2]) == ["begin postgresql", "begin sqlite"]
    assert sorted(noted[2:4]) == ["end postgresql tests/x.py", "end sqlite tests/x.py"]
    assert noted[4:] == ["begin browser", "end browser tests/x.py"]
    assert done.stdout.splitlines() == [
        "sqlite: as pytest sums up",
        "And on PostgreSQL:",
        "postgresql: as pytest sums up",
        "And in a browser:",
        "browser: as pytest sums up",
        "Left out: tests that need a server",
    ]
    assert done.returncode == 0


def test_no_browser_is_started_where_no_test_wants_one(passes):
    done, noted = passes(SQLITE=DONE, POSTGRESQL=DONE, BROWSER=NOTHING)
    assert (done.returncode, len(noted)) == (0, 4)
    assert done.stdout.splitlines()[-2] == "postgresql: as pytest sums up"


@pytest.mark.parametrize(
    ("sqlite", "postgresql", "browser", "code"),
    [
        (FAILED, DONE, DONE, 1),
        (DONE, FAILED, DONE, 1),
        (DONE, DONE, FAILED, 1),
        (FAILED, NOTHING, NOTHING, 1),
        (NOTHING, NOTHING, DONE, 0),
        (DONE, NOTHING, NOTHING, 0),
        (NOTHING, NOTHING, NOTHING, 5),
    ],
)
def test_one_pass_that_fails_fails_all_and_one_without_tests_does_not(
    passes, sqlite, postgresql, browser, code
):
    done, _noted = passes(SQLITE=sqlite, POSTGRESQL=postgresql, BROWSER=browser)
    assert done.returncode == code


def test_what_cannot_even_be_collected_is_shown(passes):
    done, noted = passes(SQLITE=DONE, POSTGRESQL=DONE, BROWSER_FINDS="2", BROWSER="2")
    assert (done.returncode, noted[-1]) == (2, "end browser tests/x.py")
