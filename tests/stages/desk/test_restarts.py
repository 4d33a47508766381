"""Two web processes, eight clerks, and a database that crashes again and again: nothing
acknowledged is missing.

Neither process knows what the other one holds in memory: whoever is asked, the answer is the same.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import psycopg
import pytest

from tests.servers import Missing, Server, free_port, manage, own_postgresql, running, wait_until
from tests.stages.desk.clerk import Clerk

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.postgresql
READY_SECONDS = 2.0
FILL = """
import json
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests import factories
from tests.conftest import signed_in
from pergioco.stages.models import Table
draft = factories.tournament(16, 1)
by = factories.user_with_role("organizer")
draft.stage.organizers.add(by)
session = signed_in(by).cookies["sessionid"].value
print(json.dumps([draft.stage_id, session, list(Table.objects.values_list("pk", flat=True))]))
"""
# Acknowledged before it is on the disk: what PostgreSQL offers to those who can do without the last
# half second.
CARELESS = "&options=-c%20synchronous_commit%3Doff"


@dataclass(frozen=True)
class Outcome:
    saved: int
    lost: int
    doubled: int
    late: int  # refusals and errors later than two seconds after the database was there again
    wrong: int  # refusals of another kind than “come again in a moment”
    away: int  # refusals of the right kind


@contextmanager
def portal(
    folder: Path, options: str = "", application: str = "pergioco.wsgi"
) -> Iterator[tuple[Server, int, list]]:
    """Its database, its port, and what the clerks must know."""
    try:
        with own_postgresql() as database:
            port = free_port()
            url = database.url.replace("connect_timeout=120", "connect_timeout=5") + options
            environment = {
                "PORTAL_DATA_DIR": str(folder),
                "DATABASE_URL": url,
                "PATH": os.environ["PATH"],
            }
            manage(
                "collectstatic",
                "--no-input",
                "--ignore",
                "redoc",
                "--verbosity",
                "0",
                env=environment,
            )
            known = json.loads(
                manage("shell", "--no-imports", "--command", FILL, env=environment).stdout
            )
            bind = [
                "--bind",
                f"127.0.0.1:{port}",
                "--worker-class",
                "gthread",
                "--workers",
                "2",
                "--threads",
                "4",
            ]
            web = [sys.executable, "-m", "gunicorn", application, *bind, "--no-control-socket"]
            with running(*web, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL):
                wait_until(lambda: urlopen(f"http://127.0.0.1:{port}/healthz"))
                yield database, port, known
    except Missing as missing:
        pytest.skip(str(missing))


def work_through(folder: Path, restarts: int, options: str = "", pause: float = 2.0) -> Outcome:
    with portal(folder, options) as (database, port, (stage, session, tables)):
        until = threading.Event()
        clerks = [Clerk(port, session, stage, table, until) for table in tables]
        for clerk in clerks:
            clerk.start()
        calm = [outage(database, pause) for _ in range(restarts)]
        time.sleep(pause)
        wait_until(lambda: all_have_worked(clerks))
        until.set()
        for clerk in clerks:
            clerk.join(60)
        return counted(database, clerks, calm)


def all_have_worked(clerks: list[Clerk]) -> None:
    """More than once on an average, however busy the machine is."""
    assert sum(len(clerk.saved) for clerk in clerks) > len(clerks)


def outage(database: Server, pause: float) -> tuple[float, float]:
    """From when to when troubles are to be expected."""
    time.sleep(pause)
    began = time.monotonic()
    database.lose(signal.SIGQUIT)
    time.sleep(0.3)
    database.start()
    return began, time.monotonic() + READY_SECONDS


def counted(database: Server, clerks: list[Clerk], outages: list[tuple[float, float]]) -> Outcome:
    with psycopg.connect(database.url) as connection:
        rows = [
            str(key)
            for (key,) in connection.execute("SELECT submission FROM stages_change").fetchall()
        ]
    saved = [key for clerk in clerks for key in clerk.saved]
    refused = [one for clerk in clerks for one in clerk.refused]
    return Outcome(
        saved=len(saved),
        lost=len(set(saved) - set(rows)),
        doubled=len(rows) - len(set(rows)),
        late=sum(
            not any(begun <= at <= over for begun, over in outages)
            for at, _status, _wait in refused
        ),
        wrong=sum(not (status == 503 and wait) for _at, status, wait in refused),
        away=sum(status == 503 for _at, status, _wait in refused),
    )


def test_one_crash_of_the_database_loses_nothing_acknowledged(tmp_path):
    outcome = work_through(tmp_path, 1, pause=1.0)
    assert (outcome.lost, outcome.doubled, outcome.wrong) == (0, 0, 0)
    assert outcome.saved > 8


@pytest.mark.proof
def test_ten_crashes_lose_nothing_acknowledged(tmp_path, figure):
    outcome = work_through(tmp_path, 10)
    figure(
        "T5",
        "results acknowledged, by two web processes",
        outcome.saved,
        target="> 1000",
        met=outcome.saved > 1000,
    )
    figure(
        "T5",
        "of these lost after ten crashes of the database",
        outcome.lost,
        target="0",
        met=not outcome.lost,
    )
    figure(
        "T5",
        "answers that did not say when to come again",
        outcome.wrong,
        target="0",
        met=not outcome.wrong,
    )
    figure(
        "T5",
        "troubles later than two seconds after it was there",
        outcome.late,
        target="0",
        met=not outcome.late,
    )
    assert (outcome.lost, outcome.doubled) == (0, 0)
    assert outcome.away > 0  # else nobody was hit


@pytest.mark.proof
def test_control_a_database_that_acknowledges_too_early_loses_results(tmp_path, figure):
    outcome = work_through(tmp_path, 10, CARELESS)
    figure("T5", "of these lost after ten crashes of the database", outcome.lost)
    assert outcome.lost > 0
