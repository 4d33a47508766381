"""The container files, checked without a container engine: they are valid, and all that they name
exists."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.apps import apps as django_apps
from django.conf import settings
from django.core.management import get_commands

from pergioco.core import jobs
from tests.system.test_settings import variables_read

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
SHELL = ["sh", "-c"]
WORKERS = ("worker", "worker-outside", "worker-paper")


def commands() -> list[list[str]]:
    """Every command of ours, health checks too; a shell's line as the commands in it."""
    found = [service["command"] for service in OURS.values()]
    found += [
        s["healthcheck"]["test"][1:] for s in OURS.values() if not s["healthcheck"].get("disable")
    ]
    found += [json.loads(line) for line in re.findall(r"\bCMD (\[.*\])", DOCKERFILE)]
    lines = [part for command in found if command[:2] == SHELL for part in command[2].split("&&")]
    return [command for command in found if command[:2] != SHELL] + [
        shlex.split(line) for line in lines
    ]


def test_the_compose_file_is_valid():
    check = [
        BIN / "check-jsonschema",
        "--builtin-schema",
        "vendor.compose-spec",
        ROOT / "docker-compose.yml",
    ]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_dockerfile_is_clean():
    done = subprocess.run(
        [BIN / "hadolint", ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_names_what_exists(command):
    program, first = command[0], command[1]
    if program == "cp":  # of the system; `test_image.py` runs it
        return
    assert (BIN / program).exists()
    if program == "python" and first == "manage.py":
        assert command[2] in get_commands()
    elif program == "python":
        assert (ROOT / first).is_file()
    elif program == "gunicorn":
        assert callable(import_module(first).application)
    else:
        assert (program, command[2]) == ("celery", "pergioco")
        assert import_module("pergioco.celery").app.main == command[2]


@pytest.mark.parametrize("name", sorted(OURS))
def test_every_variable_that_a_service_gets_is_read(name):
    assert set(OURS[name]["environment"]) - variables_read() == set()


def test_every_variable_of_ours_in_the_image_is_read():
    named = set(re.findall(r"\b((?:PORTAL|SMTP|DATABASE|REDIS)_\w+)=", DOCKERFILE))
    assert named - variables_read() == set()


def test_everything_that_is_copied_exists_and_is_let_through():
    copied = [
        line.split()[1].rstrip("/") for line in DOCKERFILE.splitlines() if line.startswith("COPY ")
    ]
    let_through = {
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines()
    }
    assert [source for source in copied if not (ROOT / source).exists()] == []
    assert [source for source in copied if source not in let_through] == []


def copied_tree() -> set[Path]:
    copied = re.findall(r"^COPY (\S+)", DOCKERFILE, re.MULTILINE)
    return {(ROOT / source).resolve() for source in copied}


def is_copied(path: Path) -> bool:
    return not copied_tree().isdisjoint({path.resolve(), *path.resolve().parents})


def test_nothing_that_is_needed_at_run_time_is_missing_in_the_image():
    """What the settings, the apps and the scripts name, against what COPY takes."""
    ours = [one for one in django_apps.get_app_configs() if one.name.split(".")[0] in packages()]
    needed = [
        *(Path(one.path) for one in ours if one.label != "demo"),
        *(Path(folder) for engine in settings.TEMPLATES for folder in engine["DIRS"]),
        *map(Path, settings.STATICFILES_DIRS),
        *map(Path, settings.LOCALE_PATHS),
        ROOT / "pergioco" / "gunicorn_worker.py",
        ROOT / "docker" / "healthy.py",
        ROOT / "docker" / "compile_messages.py",
    ]
    assert len(needed) > 15
    assert [str(path) for path in needed if not (path.exists() and is_copied(path))] == []


def test_no_module_of_the_portal_reads_what_stays_outside_of_the_image():
    """Files beside the packages, named from the root of the repository."""
    outside = {
        path.name
        for path in ROOT.iterdir()
        if path.is_dir() and not is_copied(path) and not path.name.startswith(".")
    }
    assert outside >= {"tests", "docs", "bench"}
    reading = re.compile(rf"BASE_DIR / \"({'|'.join(sorted(outside - {'var'}))})\"")
    sources = [file for package in packages() for file in (ROOT / package).rglob("*.py")]
    assert [str(file) for file in sources if reading.search(file.read_text("utf-8"))] == []


def packages() -> list[str]:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    return tools["importlinter"]["root_packages"]


@pytest.mark.parametrize("package", packages())
def test_every_package_of_ours_is_in_the_image_and_known_to_the_scripts(package):
    assert f"COPY {package}/ {package}/" in DOCKERFILE
    for script in ("check-catalogues", "run-embedded"):
        assert f" {package} " in (ROOT / "docker" / script).read_text(encoding="utf-8")


def test_the_image_installs_by_hash_and_does_not_run_as_root():
    assert "pip install --require-hashes --requirement requirements/base.txt" in DOCKERFILE
    assert re.findall(r"^USER (.*)", DOCKERFILE, re.MULTILINE) == ["1000:1000"]


def test_the_image_starts_what_the_web_service_starts():
    assert (
        json.loads(re.findall(r"^CMD (\[.*\])", DOCKERFILE, re.MULTILINE)[0])
        == SERVICES["web"]["command"]
    )


def test_only_the_proxy_is_open_to_the_net():
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {
        "proxy": ["${PORTAL_HTTP_PORT:-80}:80", "${PORTAL_HTTPS_PORT:-443}:443"],
        "web": ["${PORTAL_BIND:-127.0.0.1}:${PORTAL_PORT:-8000}:8000"],
    }


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_no_service_fills_the_memory_or_the_disk_of_the_machine(name):
    service = SERVICES[name]
    assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
    assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}
    assert [mount for mount in service.get("tmpfs", []) if ":size=" not in mount] == []
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_a_new_database_has_checksums():
    assert SERVICES["database"]["environment"]["POSTGRES_INITDB_ARGS"] == "--data-checksums"


def test_the_proxy_serves_the_files_of_the_image():
    assert SERVICES["static"]["command"] == ["cp", "-R", "staticfiles/.", "/static/"]
    assert SERVICES["static"]["volumes"] == ["static:/static"]
    assert "static:/srv/static:ro" in SERVICES["proxy"]["volumes"]
    waits = SERVICES["proxy"]["depends_on"]["static"]["condition"]
    assert waits == "service_completed_successfully"
    assert "install --directory --owner portal --group portal /data /static" in DOCKERFILE


def test_every_service_starts_again_and_all_that_last_are_watched():
    assert {name: service.get("restart") for name, service in SERVICES.items()} == {
        **dict.fromkeys(["proxy", "web", *WORKERS, "beat", "database", "broker"], "unless-stopped"),
        **dict.fromkeys(["migrate", "static"], "on-failure:3"),
    }
    assert [
        n for n, service in SERVICES.items() if not service.get("healthcheck", {}).get("test")
    ] == ["migrate", "static"]


def test_each_lane_of_the_queue_has_its_worker_and_its_health_check():
    for name, lane in zip(WORKERS, jobs.LANES, strict=True):
        command = SERVICES[name]["command"]
        assert command[command.index("--queues") + 1] == lane
        assert command[command.index("--hostname") + 1] == f"{lane}@%h"
        assert SERVICES[name]["healthcheck"]["test"][-1].endswith(
            f"--destination {lane}@$$HOSTNAME"
        )


def test_nothing_of_ours_starts_before_the_migrations_ran():
    waiting = {"web", *WORKERS, "beat"}
    assert {OURS[name]["depends_on"]["migrate"]["condition"] for name in waiting} == {
        "service_completed_successfully"
    }
    assert OURS["migrate"]["depends_on"]["database"]["condition"] == "service_healthy"


def test_the_broker_refuses_rather_than_forgets():
    command = SERVICES["broker"]["command"]
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"


def test_every_volume_that_is_mounted_is_declared():
    mounted = {
        mount.split(":")[0] for service in SERVICES.values() for mount in service.get("volumes", [])
    }
    files = {source for source in mounted if source.startswith(".")}
    assert [source for source in files if not (ROOT / source).is_file()] == []
    assert mounted - files == set(COMPOSE["volumes"])


def test_no_secret_stands_in_the_files():
    passwords = re.findall(
        r"PASSWORD: (.*)", (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    )
    assert passwords == ["${POSTGRES_PASSWORD:?Set it in .env}"]
    assert re.findall(r"^\w*(?:PASSWORD|SECRET)\w*=(.*)", DOCKERFILE, re.MULTILINE) == []


def pins(name: str) -> dict[str, str]:
    lock = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", lock, re.MULTILINE))


def test_what_runs_in_production_is_what_was_tested():
    assert len(pins("base.txt")) > 10
    assert pins("base.txt").items() <= pins("dev.txt").items()


@pytest.mark.parametrize("name", ["base.txt", "dev.txt"])
def test_every_pin_has_hashes_and_no_address(name):
    lock = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE)[1:]
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []
    assert "://" not in lock
