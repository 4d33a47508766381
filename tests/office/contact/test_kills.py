"""Two processes deliver and are killed again and again: every mail arrives; a second copy bears the
same number.

The quick version of this is `test_mail.py`.
"""

import email
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import migrated
from tests.core.test_race import FREE, Environment, embedded, on_server, shell
from tests.office.contact import sink as smtp_sink
from tests.servers import running, wait_until

__all__ = ["embedded", "on_server"]
ROOT = Path(__file__).parents[3]
MAILS, KILLS = 2000, 20
WRITE = """
from django.core.mail import send_mail
from django.db import transaction
with transaction.atomic():
    for n in range({mails}):
        send_mail("Hello", "Text", "p@example.org", ["m%d@example.org" % n])
"""
IDS = """
from pergioco.core.models import OutgoingMail
print(*OutgoingMail.objects.values_list("message_id", flat=True))
"""
WITHOUT_NOTIFYING = "from pergioco.core import jobs; jobs.notify = lambda job: None"
pytestmark = [
    pytest.mark.proof,
    pytest.mark.parametrize(
        "house",
        ["embedded", pytest.param("on_server", marks=pytest.mark.postgresql)],
        indirect=True,
    ),
]


@pytest.fixture
def sink() -> Iterator[smtp_sink.Sink]:
    with smtp_sink.listening() as server:
        yield server


@pytest.fixture
def house(request, sink) -> Environment:
    """A portal with mails that wait, and a mail server."""
    post = {
        "PORTAL_MAIL": "smtp",
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(sink.port),
        "SMTP_TLS": "0",
    }
    environment = {**request.getfixturevalue(request.param), **post}
    migrated.prepare(environment)
    shell(WITHOUT_NOTIFYING + WRITE.format(mails=MAILS), environment)
    return environment


def numbers(sink: smtp_sink.Sink) -> Counter[str]:
    return Counter(str(email.message_from_bytes(one.content)["Message-ID"]) for one in sink.mails)


def deliver_under_fire(house: Environment, sink: smtp_sink.Sink, mode: str) -> Counter[str]:
    """How often each number arrived, after twenty kills in the middle of the work and one process
    in peace."""
    chance, command = (
        random.Random(2026),
        [sys.executable, "-m", "tests.office.contact.postman", mode],
    )
    for _ in range(KILLS // 2):
        pair = [subprocess.Popen(command, cwd=ROOT, env=house) for _ in range(2)]
        enough = min(len(sink.mails) + 60, MAILS - 1)
        wait_until(lambda enough=enough: 1 / (len(sink.mails) >= enough))
        time.sleep(chance.uniform(0, 0.1))
        for process in pair:
            process.kill()
            process.wait()
        shell(FREE, house)
    with running(*command, cwd=ROOT, env=house) as last:
        assert last.wait(300) == 0
    return numbers(sink)


def test_twenty_kills_lose_no_mail(house, sink, figure):
    expected, arrived = set(shell(IDS, house).split()), deliver_under_fire(house, sink, "leased")
    lost, doubled = len(expected - arrived.keys()), arrived.total() - len(arrived)
    figure("T17", f"of {MAILS} mails lost by {KILLS} kills", lost, target="0", met=lost == 0)
    figure(
        "T17",
        "second copies, each with the number of the first",
        doubled,
        target=f"≤ {KILLS}",
        met=doubled <= KILLS,
    )
    assert (lost, arrived.keys() - expected) == (0, set())
    assert doubled <= KILLS


def test_control_ticked_off_too_early_mails_are_lost(house, sink, figure):
    expected, arrived = set(shell(IDS, house).split()), deliver_under_fire(house, sink, "hasty")
    lost = len(expected - arrived.keys())
    figure("T17", f"of {MAILS} mails lost by {KILLS} kills", lost)
    assert lost > 0
