"""The services of docker-compose.yml, run for real beside a PostgreSQL and a Redis of their own:
the web twice, on two ports, and three workers, so that whatever relied on the memory of one process
would be seen."""

import json
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from docker import healthy
from tests.servers import PATIENCE_SECONDS, free_port, manage, new_database, running, wait_until
from tests.system.test_containers import SERVICES, WORKERS
from tests.system.test_settings import COMPLETE

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
HOST = COMPLETE["PORTAL_HOSTS"]
WRITE_A_MAIL = """
from django.core.mail import send_mail
send_mail("Hello", "Text", None, ["marta@example.org"])
"""
COUNT_NAPS = """
import time
naps = []
time.sleep = naps.append
import django
django.setup()
"""
PROMISE_UNHEARD = """
from django.utils import timezone
from pergioco.core.models import OutgoingMail
from pergioco.core.models import Job
raw = b"From: p@example.org\\nTo: m@example.org\\n\\nText"
mail = OutgoingMail.objects.create(message_id="unheard", recipient="m@example.org", raw=raw)
Job.objects.create(kind="mail.send", arguments={"mail": mail.pk}, not_before=timezone.now())
"""


OPEN_A_STAGE = """
import json
from tests import factories
from tests.conftest import signed_in
from pergioco.stages.models import Table
draft = factories.drafted([[(factories.player(), factories.player())]])
by = factories.user_with_role("organizer", email="carla@example.org")
draft.stage.organizers.add(by)
session = signed_in(by).cookies["__Host-session"].value
print(json.dumps([session, draft.stage_id, Table.objects.get().pk]))
"""
CSRF = "a" * 32


class House:
    """A portal in production: its environment, its two web ports, and what it mailed."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.port, self.other_port = free_port(), free_port()
        self.mails = folder / "mail"
        self.environment = {
            **COMPLETE,
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "PORTAL_DATA_DIR": str(folder),
            "PORTAL_MAIL": "file",
            "PORTAL_TRUSTED_PROXIES": "1",
            **environment,
        }

    def command(self, service: str, port: int = 0) -> list[str]:
        """As it stands in the file, but for the port."""
        program, *rest = SERVICES[service]["command"]
        found = shutil.which(program, path=self.environment["PATH"]) or program
        return [
            found,
            *(part.replace("0.0.0.0:8000", f"127.0.0.1:{port or self.port}") for part in rest),
        ]

    def shell(self, program: str) -> str:
        return manage("shell", "--no-imports", "--command", program, env=self.environment).stdout

    def python(self, program: str) -> str:
        environment = {**self.environment, "DJANGO_SETTINGS_MODULE": "pergioco.settings"}
        command = [sys.executable, "-c", program]
        return subprocess.run(
            command, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def get(self, path: str) -> tuple[int, bytes]:
        return self.ask(path)

    def ask(
        self, path: str, port: int = 0, *, session: str = "", **sent: object
    ) -> tuple[int, bytes]:
        """As the proxy with TLS asks; whatever is to be sent goes with a form's token."""
        cookie = f"__Host-session={session}; __Host-csrf={CSRF}"
        headers = {"Host": HOST, "X-Forwarded-Proto": "https", "Cookie": cookie}
        headers |= {"X-CSRFToken": CSRF, "Referer": f"https://{HOST}/"} if sent else {}
        body = urlencode(sent).encode() if sent else None
        request = urllib.request.Request(
            f"http://127.0.0.1:{port or self.port}{path}", body, headers
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read()

    def wait_for_mails(self, number: int) -> None:
        wait_until(lambda: sorted(self.mails.iterdir())[number - 1])


@pytest.fixture
def house(tmp_path: Path, postgresql_server: str, redis_server) -> Iterator[House]:
    """Everything that docker-compose.yml starts, in its order."""
    with new_database(postgresql_server) as database, ExitStack() as stack:
        made = House(tmp_path, DATABASE_URL=database, REDIS_URL=redis_server[0])
        manage(
            "collectstatic",
            "--no-input",
            "--ignore",
            "redoc",
            "--verbosity",
            "0",
            env=made.environment,
        )
        subprocess.run(
            made.command("migrate"), env=made.environment, cwd=ROOT, check=True, capture_output=True
        )
        workers = [made.command(name) for name in WORKERS]
        for command in (
            made.command("web"),
            made.command("web", made.other_port),
            *workers,
            made.command("beat"),
        ):
            stack.enter_context(running(*command, env=made.environment, cwd=ROOT))
        for port in (made.port, made.other_port):
            wait_until(lambda port=port: made.ask("/healthz", port))
        yield made


@pytest.mark.postgresql
@pytest.mark.redis
def test_the_services_serve_and_work_and_a_lost_broker_loses_nothing(
    house, redis_server, monkeypatch
):
    monkeypatch.setenv("PORTAL_HOSTS", HOST)
    monkeypatch.setenv("PORTAL_DATA_DIR", house.environment["PORTAL_DATA_DIR"])
    assert [house.get(path)[0] for path in ("/healthz", "/readyz", "/it/")] == [200, 200, 200]
    assert wait_until(lambda: healthy.web_answers(house.port))
    # A worker is notified of a job; the pass that beat calls finds one of which no worker was
    # notified.
    house.shell(WRITE_A_MAIL)
    house.wait_for_mails(1)
    house.shell(PROMISE_UNHEARD)
    house.wait_for_mails(2)
    assert healthy.beat_keeps_time()
    ping = [BIN / "celery", "-A", "pergioco", "inspect", "ping", "--timeout", "5"]
    answer = wait_until(
        lambda: subprocess.run(
            ping, env=house.environment, cwd=ROOT, check=True, capture_output=True
        )
    )
    assert b"3 nodes online" in answer.stdout
    two_processes_are_one_portal(house)
    # Without the broker the site goes on, waits for nothing, and `manage.py run_worker` does the
    # work.
    _address, end = redis_server
    end()
    assert house.python(COUNT_NAPS + WRITE_A_MAIL + "print(naps)") == "[]\n"
    assert house.get("/it/")[0] == 200
    manage("run_worker", env=house.environment)
    house.wait_for_mails(3)


def two_processes_are_one_portal(house: House) -> None:
    """What one of them was told the other one knows: who is signed in, what was typed, how often
    somebody tried."""
    session, stage, table = json.loads(house.shell(OPEN_A_STAGE))
    ports = [house.port, house.other_port] * 3
    cell = {"table": table, "session": session}
    typed = [
        house.ask(
            f"/en/staff/stages/{stage}/results/cell/",
            port,
            **cell,
            sign=sign,
            version=version,
            submission=uuid4(),
        )
        for version, (port, sign) in enumerate(zip(ports, "1X21X2", strict=True))
    ]
    assert [(status, json.loads(body)["version"]) for status, body in typed] == [
        (200, n) for n in range(1, 7)
    ]
    wrong = {"login": "carla@example.org", "password": "not this one at all"}
    pages = [house.ask("/en/account/login/", port, **wrong)[1].decode() for port in ports]
    assert ["Too many wrong tries" in page for page in pages] == [False] * 5 + [True]


def test_without_a_database_the_process_lives_and_says_that_it_is_not_ready(tmp_path):
    house = House(tmp_path, DATABASE_URL=f"postgresql://portal@127.0.0.1:{free_port()}/portal")
    with running(*house.command("web"), env=house.environment, cwd=ROOT, stderr=subprocess.DEVNULL):
        wait_until(lambda: house.get("/healthz"))
        assert house.get("/healthz")[0] == 200
        status, body = house.get("/readyz")
        assert (status, json.loads(body)["reasons"]) == (503, ["The database does not answer."])
