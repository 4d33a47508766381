"""The demo season behind a real server, asked by schemathesis from outside: examples, coverage of
the schema, fuzzing with right and wrong values, and following links, all checks on."""

import copy
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests import migrated
from tests.servers import free_port, manage, running, wait_until

pytestmark = pytest.mark.proof
ROOT = Path(__file__).parents[2]
PROGRAMS = Path(sys.executable).parent
FEW, MANY, SECONDS = 10, 100, 900
ROLES = {"anonymous": "", "player": "player@example.org", "staff": "staff@example.org"}
SIGN_IN = """
from django.contrib.auth import get_user_model
from django.test import Client
client = Client()
client.force_login(get_user_model().objects.get(email="{email}"))
print("session=" + client.session.session_key)
"""


class Portal:
    def __init__(self, url: str, environment: dict[str, str]) -> None:
        self.url, self.environment = url, environment

    def ask(self, script: str) -> str:
        out = manage("shell", "--no-imports", "--command", script, env=self.environment).stdout
        return out.strip().partition("=")[2]


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    data, port = tmp_path_factory.mktemp("demo"), free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "PORTAL_DATA_DIR": str(data),
        "PORTAL_DEMO": "1",
        "API_RATE": "1000000/min",
    }
    migrated.prepare(environment)
    manage("seed_demo", env=environment)
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = (f"--bind=127.0.0.1:{port}", "--threads=2", "--no-control-socket", "pergioco.wsgi")
    with running(
        str(PROGRAMS / "gunicorn"), *command, cwd=ROOT, env=environment, **silent
    ) as server:
        url = f"http://127.0.0.1:{port}"
        wait_until(
            lambda: urlopen(f"{url}/healthz", timeout=5).close(),
            alive=lambda: server.poll() is None,
        )
        yield Portal(url, environment)


def ask_everything(portal: Portal, folder: Path, schema: str, *more: object) -> tuple[int, str]:
    """How many questions were asked, and what it printed if any answer differed."""
    command = [
        *(PROGRAMS / "st", "run", schema, "--url", portal.url, "--checks", "all", "--mode", "all"),
        *("--seed", "1", "--continue-on-failure", "--no-color", *more),
    ]
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    asked = re.search(r"(\d+) generated", done.stdout)
    assert asked, done.stdout + done.stderr
    return int(asked[1]), done.stdout if done.returncode else ""


@pytest.mark.parametrize("role", ROLES)
def test_no_answer_differs_from_the_schema(portal, tmp_path, figure, role):
    more = ["--phases", "examples,coverage,fuzzing,stateful", "--max-examples"]
    if email := ROLES[role]:  # the API knows no login: few questions say so
        cookie = f"Cookie: sessionid={portal.ask(SIGN_IN.format(email=email))}"
        more += [FEW, "--header", cookie]
    else:
        more += [MANY]
    asked, differing = ask_everything(portal, tmp_path, f"{portal.url}/api/schema/", *more)
    figure("api", f"questions asked as {role}, none answered otherwise", asked, target="all")
    assert not differing, differing
    assert asked > 500


def wrong(schema: dict[str, Any], lie: str) -> dict[str, Any]:
    made = copy.deepcopy(schema)
    of_a_season = made["components"]["schemas"]["SeasonShown"]["properties"]
    operation = made["paths"]["/api/v1/seasons/"]["get"]
    if lie == "a field of another type":
        of_a_season["year"] = {"type": "string"}
    elif lie == "a parameter with wider limits":
        size = next(one for one in operation["parameters"] if one["name"] == "page_size")
        size["schema"]["maximum"] = 5000
    elif lie == "a parameter with narrower limits":
        page = next(one for one in operation["parameters"] if one["name"] == "page_size")
        page["schema"]["maximum"] = 20
    elif lie == "a method there is not":
        made["paths"]["/api/v1/seasons/"]["delete"] = {"responses": {"204": {"description": "-"}}}
    return made


LIES = {
    "a field of another type": "Response violates schema",
    "a parameter with wider limits": "Schema-valid request rejected",
    "a parameter with narrower limits": "Schema-violating request accepted",
    "a method there is not": "Allow header mismatch",
}


@pytest.mark.parametrize("lie", LIES)
def test_the_control_a_schema_that_says_something_else_is_found_out(portal, tmp_path, lie):
    with urlopen(f"{portal.url}/api/schema/?format=json") as answer:
        schema = wrong(json.load(answer), lie)
    copied = tmp_path / "wrong.json"
    copied.write_text(json.dumps(schema))
    only = ("--include-path", "/api/v1/seasons/", "--phases", "examples,coverage,fuzzing")
    _asked, differing = ask_everything(portal, tmp_path, str(copied), *only, "-n", "20")
    assert LIES[lie] in differing
