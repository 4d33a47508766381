"""`docs/operations.md` is true: its commands exist, its sentences are those of the portal, its
restore restores."""

import re
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from pergioco.website.views import machines
from tests import factories
from tests.proofs.catalogue import PROOFS
from tests.system.test_restore_scripts import BLOCKS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
CODE = re.findall(r"^```\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
LINES = [line for block in CODE for line in block.splitlines()] + re.findall(r"`([^`\n]+)`", PAGE)
MANAGE = sorted({line.split("manage.py ")[1] for line in LINES if "manage.py " in line})


@pytest.mark.parametrize("command", MANAGE)
def test_every_command_exists_and_understands_its_options(command):
    name, *options = shlex.split(command)
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    assert parser.parse_args(options) is not None


def test_the_page_names_the_commands_that_matter():
    assert {command.split()[0] for command in MANAGE} >= {
        "migrate",
        "recompute",
        "run_worker",
        "check",
        "collectstatic",
    }


def test_every_file_and_every_target_of_make_that_is_named_exists():
    files = {
        word
        for line in LINES
        for word in line.split()
        if re.fullmatch(r"docker/\w+\.py|\.env\.example", word)
    }
    assert [name for name in sorted(files) if not (ROOT / name).is_file()] == []
    targets = re.findall(
        r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {line.split()[1] for line in LINES if line.startswith("make ")} - set(targets) == set()


def test_every_service_that_is_named_exists():
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    named = re.findall(r"docker compose exec (?:-T )?(\w+)", PAGE) + re.findall(
        r"run --rm (?:--no-deps )?(\w+)", PAGE
    )
    assert [service for service in named if f"\n  {service}:\n" not in compose] == []


def test_what_readyz_says_is_explained():
    state = {
        "migrations_missing": 1,
        "oldest_waiting_seconds": 1000,
        "steps_given_up": 1,
        "steps_of_dead_workers": 1,
        "servers_left_alone": ["mail"],
        "late": ["backup", "numbers", "tidy"],
        "numbers_that_differ": 1,
        "free_megabytes": 1,
        "audit_log_problems": 1,
    }
    sentences = [*machines.explain_state(state), "The database does not answer."]
    assert len(sentences) == len(state) + 3
    assert [s for s in sentences if f"“{re.split('[:.]', s)[0]}”" not in PAGE] == []


def test_every_variable_that_is_named_is_documented():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert [name for name in re.findall(r"`(PORTAL_[A-Z_]+)=", PAGE) if name not in example] == []


# Run by the tests of their own, as they stand here.
RUN_BY = {
    "check --deploy --fail-level WARNING": "tests/system/test_settings.py",
    "run_worker --forever": "tests/core/test_run_worker.py",
    "collectstatic --no-input --ignore redoc": "tests/system/test_production.py",
}
REFUSES = {  # nothing to end, to print or to convene in an empty federation
    "close_season 2025 --dry-run",
    "purge_pgr 2026 --dry-run",
    "export_brochure 2025 brochure-2025.pdf --language it --dry-run",
    "send_convocations 2026-04-final-catan --mail 1 --by staff@example.org --dry-run",
}


@pytest.mark.parametrize("command", [command for command in MANAGE if command not in RUN_BY])
@pytest.mark.usefixtures("db", "clock")
def test_every_command_runs_as_it_stands_here(command, tmp_path, settings, monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "una frase lunga e segreta")
    settings.ERASURE_JOURNAL.touch()
    factories.season(2026)
    filled_in = {"PATH": str(tmp_path / "out"), "NUMBER": factories.registered().public_id}
    name, *options = (filled_in.get(word, word) for word in shlex.split(command))
    if name == "createsuperuser":
        options += ["--no-input", "--email", "first@example.org"]
    if command in REFUSES:
        with pytest.raises((CommandError, SystemExit)):
            call_command(name, *options, stdout=StringIO(), stderr=StringIO())
    else:
        call_command(name, *options, stdout=StringIO(), stderr=StringIO())


@pytest.mark.parametrize(("command", "test"), RUN_BY.items())
def test_the_others_run_where_it_is_said(command, test):
    assert command.split()[0] in (ROOT / test).read_text(encoding="utf-8")
    assert command in MANAGE


PROGRAM = re.compile(r"(docker|sh|make|python3?|pip|git|cp|cd|export|curl) \S")
COMMANDS = {line for line in LINES if PROGRAM.match(line) and "manage.py " not in line}
# Whole blocks, as they stand on the page
RUN_TOGETHER = {line for block in BLOCKS for line in block.splitlines()}
TRIED_BY = {
    "cp .env.example .env": "tests/system/test_restore_scripts.py::furnish",
    "make run": "tests/system/test_scripts.py::started",
    "python docker/compile_messages.py locale/*/LC_MESSAGES/*.po": (
        "tests/system/test_catalogues.py::test_the_compiled_file_stands_beside_its_source"
    ),
    'python3 -c "import secrets; print(secrets.token_urlsafe(64))"': (
        "tests/system/test_operations.py::test_the_command_makes_a_key_that_is_long_enough"
    ),
    **dict.fromkeys(
        ("git clone ADDRESS pergioco", "cd pergioco", "git pull"),
        "tests/system/test_operations.py::test_the_portal_is_fetched_as_it_says",
    ),
}
# No test has Docker itself, a machine to install packages on, a source of known holes, or an hour.
# What the services do is run from the image's own files by `make prove ARGS=image`.
NOT_TRIED = {
    "docker compose version",
    "docker compose build --pull",
    "docker compose pull proxy database broker",
    "docker compose up",
    "docker compose up --detach --scale proxy=0",
    "make prove ARGS=image",
    "make prove ARGS=slow",
    "make prove ARGS=T21",
    "make prove ARGS=T29",
    "make prove ARGS=upgrade",
    "docker compose up --detach --build",
    "docker compose up --detach",
    "docker compose run --rm migrate",
    "docker compose ps",
    "docker compose pull",
    "docker compose logs",
    "docker compose logs --since 1h",
    "docker compose logs database",
    "pip install --require-hashes --requirement requirements/base.txt",
    "make audit",
}


def test_a_test_runs_every_command_of_the_page():
    """A new one belongs into a block that is run, or beside the test that runs it."""
    assert COMMANDS - RUN_TOGETHER - TRIED_BY.keys() - NOT_TRIED == set()
    assert (TRIED_BY.keys() | NOT_TRIED) - COMMANDS == set()


@pytest.mark.parametrize("place", sorted(set(TRIED_BY.values())))
def test_what_tries_them_is_there(place):
    file, function = place.split("::")
    assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8")


def test_every_proof_that_is_named_exists():
    named = {line.partition("ARGS=")[2] for line in COMMANDS if line.startswith("make prove")}
    assert named - {proof.code for proof in PROOFS} == set()


def test_the_portal_is_fetched_as_it_says(tmp_path):
    (fetch,) = (line for line in PAGE.splitlines() if "git clone ADDRESS" in line)
    commands = [*re.findall(r"`([^`]+)`", fetch), "git pull"]
    script = "; ".join(commands).replace("ADDRESS", shlex.quote(str(ROOT)))
    subprocess.run(["/bin/sh", "-euc", script], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "pergioco" / "docker-compose.yml").is_file()


def test_the_command_makes_a_key_that_is_long_enough():
    (command,) = (line for line in COMMANDS if "token_urlsafe" in line)
    program = [sys.executable, *shlex.split(command)[1:]]
    made = subprocess.run(program, capture_output=True, text=True, check=True).stdout.strip()
    assert len(made) >= 50


def test_every_script_that_is_named_exists():
    named = {word for line in LINES for word in re.findall(r"sh (docker/\w+)", line)}
    assert named == {"docker/backup", "docker/restore"}
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_alarm_is_a_number_that_the_portal_tells():
    alarms = re.findall(r"`portal_(\w+)` \|", PAGE)
    assert sorted(alarms) == sorted(machines.METRIC_HELP.keys() - {"steps_open"})
