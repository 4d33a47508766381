"""`manage.py relay` does without Celery what Celery does."""

import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from pergioco.ledger.management.commands import relay as command
from pergioco.ledger.models import Outbox
from tests.ledger.steps import calls
from tests.servers import PATIENCE_SECONDS, manage, wait_until

ROOT = Path(__file__).parents[2]


def relay(*options: str) -> str:
    out = StringIO()
    call_command("relay", *options, stdout=out)
    return out.getvalue()


def waiting(step: str, **fields) -> Outbox:
    return Outbox.objects.create(step=step, arguments={"name": "chess"}, not_before=timezone.now(), **fields)


@pytest.mark.django_db
def test_one_run_does_every_round_once():
    row = waiting("note")
    assert relay() == "given up: 0\n"
    row.refresh_from_db()
    assert row.done_at is not None


@pytest.mark.django_db
def test_steps_that_were_given_up_are_put_back_when_asked():
    waiting("note", tries=5)
    assert relay() == "given up: 1\n"
    assert (relay("--try-again"), calls) == ("put back: 1\ngiven up: 0\n", ["chess"])


@pytest.mark.django_db
def test_a_round_that_fails_does_not_stop_the_clock(settings, caplog):
    settings.PIPELINE_ROUNDS = {"broken": ("tests.ledger.steps.no_such_step", 1.0)}
    command.try_round("broken")
    assert "round broken failed: ImportError" in caplog.text


def test_forever_goes_on_until_it_is_ended(tmp_path):
    environment = {"PORTAL_DATA_DIR": str(tmp_path)}
    manage("migrate", env=environment)
    process = subprocess.Popen([sys.executable, "manage.py", "relay", "--forever"], cwd=ROOT, env=environment)
    try:
        promise_a_mail(environment)
        wait_until(lambda: next((tmp_path / "mail").iterdir()))
        assert process.poll() is None
        for number in [signal.SIGINT, signal.SIGTERM] * 20:  # as from a terminal and a shell that both pass it on
            process.send_signal(number)
        assert process.wait(PATIENCE_SECONDS) in {0, -signal.SIGINT, -signal.SIGTERM}  # the last may meet it on its way
    finally:
        process.kill()


def promise_a_mail(environment: dict[str, str]) -> None:
    """With a broker that nobody listens to, so that only the relay can send it."""
    program = "from django.core.mail import send_mail; send_mail('Hello', 'Text', None, ['m@example.org'])"
    unheard = {**environment, "REDIS_URL": "redis://127.0.0.1:1/0"}
    manage("shell", "--no-imports", "--command", program, env=unheard)
