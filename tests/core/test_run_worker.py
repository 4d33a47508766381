"""`manage.py run_worker` does without Celery what Celery does."""

import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from threading import Event, Thread

import pytest
from django.core.management import call_command
from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.management.commands import run_worker as command
from pergioco.core.models import Job
from tests import migrated
from tests.core.steps import calls
from tests.servers import PATIENCE_SECONDS, manage, wait_until

ROOT = Path(__file__).parents[2]


def run_worker(*options: str) -> str:
    out = StringIO()
    call_command("run_worker", *options, stdout=out)
    return out.getvalue()


def waiting(kind: str, **fields) -> Job:
    return Job.objects.create(
        kind=kind, arguments={"name": "chess"}, not_before=timezone.now(), **fields
    )


@pytest.mark.django_db
def test_one_run_does_all_jobs_and_every_periodic_task_once():
    row = waiting("note")
    assert run_worker() == "given up: 0\n"
    row.refresh_from_db()
    assert row.done_at is not None


@pytest.mark.django_db
def test_jobs_that_were_given_up_are_put_back_when_asked():
    waiting("note", attempts=5, state="failed")
    assert run_worker() == "given up: 1\n"
    assert (run_worker("--try-again"), calls) == ("put back: 1\ngiven up: 0\n", ["chess"])


@pytest.mark.django_db
def test_a_periodic_task_that_fails_does_not_stop_the_clock(monkeypatch, caplog):
    def broken() -> None:
        raise OSError

    monkeypatch.setitem(jobs.periodic_tasks, "broken", jobs.PeriodicTask(broken, 1.0, jobs.NUMBERS))
    command.try_task("broken")
    assert "periodic task broken failed: OSError" in caplog.text


@pytest.mark.django_db
def test_the_former_name_of_the_command_still_works():
    out = StringIO()
    call_command("relay", stdout=out)
    assert out.getvalue() == "given up: 0\n"


@pytest.mark.django_db(transaction=True)
def test_numbers_wait_for_no_other_lane(monkeypatch):
    """A thread for each lane: while mail hangs, numbers are computed."""
    hangs, ended, numbers = Event(), Event(), Event()
    tasks = {
        "mail": jobs.PeriodicTask(lambda: hangs.wait(PATIENCE_SECONDS), 0.01, jobs.OUTSIDE),
        "numbers": jobs.PeriodicTask(numbers.set, 0.01, jobs.NUMBERS),
    }
    monkeypatch.setattr(jobs, "periodic_tasks", tasks)
    threads = [
        Thread(target=command.run_lane, args=(lane, ended)) for lane in (jobs.OUTSIDE, jobs.NUMBERS)
    ]
    for thread in threads:
        thread.start()
    assert numbers.wait(PATIENCE_SECONDS)
    assert not hangs.is_set()
    ended.set()
    hangs.set()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)


def test_forever_goes_on_until_it_is_ended(tmp_path):
    environment = {"PORTAL_DATA_DIR": str(tmp_path)}
    migrated.prepare(environment)
    process = subprocess.Popen(
        [sys.executable, "manage.py", "run_worker", "--forever"], cwd=ROOT, env=environment
    )
    try:
        enqueue_a_mail(environment)
        wait_until(lambda: next((tmp_path / "mail").iterdir()))
        assert process.poll() is None
        for number in [
            signal.SIGINT,
            signal.SIGTERM,
        ] * 20:  # as from a terminal and a shell that both pass it on
            process.send_signal(number)
        assert process.wait(PATIENCE_SECONDS) in {
            0,
            -signal.SIGINT,
            -signal.SIGTERM,
        }  # the last may meet it on its way
    finally:
        process.kill()


def enqueue_a_mail(environment: dict[str, str]) -> None:
    """With a broker that nobody listens to, so that only the worker can send it."""
    program = (
        "from django.core.mail import send_mail; send_mail('Hello', 'Text', None, "
        "['m@example.org'])"
    )
    unheard = {**environment, "REDIS_URL": "redis://127.0.0.1:1/0"}
    manage("shell", "--no-imports", "--command", program, env=unheard)
