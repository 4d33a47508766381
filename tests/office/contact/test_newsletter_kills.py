"""Real processes that are killed in the middle of their work: nobody is left out, nobody who said
no is written to.

A kill may cost the mail that was on its way a second copy, which bears the same number.
"""

import json
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests import migrated
from tests.office.contact import sink as smtp_sink
from tests.office.contact.conftest import opened
from tests.servers import PATIENCE_SECONDS, manage, wait_until

ROOT = Path(__file__).parents[3]
POSTMAN = [sys.executable, "-m", "tests.office.contact.newsletter_postman"]
SAY_NO = 10  # of those who come last
SAYING_NO = f"""
from pergioco.office.newsletter import recipients
from pergioco.office.models import Delivery
import json
gone = []
waiting = Delivery.objects.filter(state="waiting").select_related("player__person")
for row in waiting.order_by("-pk")[:{SAY_NO}]:
    token = recipients.make_unsubscribe_token(row.player, "newsletter")
    recipients.end_subscriptions(recipients.read_unsubscribe_link(token))
    gone.append(row.player.person.contact_email)
print(json.dumps(gone))
"""
STATES = """
import json
from collections import Counter
from pergioco.office.models import Delivery
print(json.dumps(Counter(Delivery.objects.values_list("state", flat=True))))
"""


@dataclass
class House:
    """A portal of its own, and the mail server that it sends to."""

    environment: dict[str, str]
    sink: smtp_sink.Sink

    def shell(self, program: str) -> str:
        return manage("shell", "--no-imports", "--command", program, env=self.environment).stdout

    def postman(self, mode: str, *more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*POSTMAN, "work", mode, *more], cwd=ROOT, env=self.environment)

    @property
    def delivered(self) -> Counter[str]:
        """How many mails each address got."""
        return Counter(mail.recipients[0] for mail in list(self.sink.mails))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """The database of a portal with a newsletter to so many, which is due."""

    @cache
    def fill(mails: int) -> Path:
        folder = tmp_path_factory.mktemp("filled")
        environment = {"PORTAL_DATA_DIR": str(folder)}
        migrated.prepare(environment)
        command, patience = [*POSTMAN, "fill", str(mails)], 5 * PATIENCE_SECONDS
        subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=patience)
        return folder / migrated.NAME

    return fill


@pytest.fixture
def house(tmp_path: Path, mails: int, filled: Callable[[int], Path]) -> Iterator[House]:
    with smtp_sink.listening() as sink:
        mail = {
            "PORTAL_MAIL": "smtp",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(sink.port),
            "SMTP_TLS": "0",
        }
        shutil.copy(filled(mails), tmp_path)
        yield House({"PORTAL_DATA_DIR": str(tmp_path), **mail}, sink)


@pytest.fixture
def mails() -> int:
    return 60


def kill_often(house: House, mode: str, *, mails: int, kills: int) -> list[str]:
    """One worker after the other is killed while it sends; half-way some say no; the last one works
    in peace. Returns the addresses of those who said no."""
    chance, gone = random.Random(2026), []
    after_kill: list[str] = []
    for number in range(kills):
        enough = (number + 1) * mails // (kills + 2)
        process = house.postman(mode, *after_kill)
        wait_until(lambda least=enough: 1 / (len(house.sink.mails) >= least))
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        process.wait()
        if number == kills // 2:
            gone = json.loads(house.shell(SAYING_NO))
        after_kill = ["after-kill"]
    house.postman(mode, *after_kill).wait(5 * PATIENCE_SECONDS)
    return gone


def nobody_is_left_out_and_no_no_is_passed_over(house: House, *, mails: int, kills: int) -> None:
    gone = kill_often(house, "careful", mails=mails, kills=kills)
    delivered = house.delivered
    everybody = {f"reader{number}@example.org" for number in range(mails)}
    assert len(gone) == SAY_NO
    assert set(delivered) == everybody - set(gone)
    assert delivered.total() - len(delivered) <= kills
    numbers = {mail.recipients[0]: set() for mail in house.sink.mails}
    for mail in house.sink.mails:
        numbers[mail.recipients[0]].add(opened(mail)["Message-ID"])
    assert {len(own) for own in numbers.values()} == {1}
    assert json.loads(house.shell(STATES)) == {"sent": mails - SAY_NO, "skipped": SAY_NO}


def test_sixty_mails_and_two_kills(house, mails):
    nobody_is_left_out_and_no_no_is_passed_over(house, mails=mails, kills=2)


@pytest.mark.proof
@pytest.mark.parametrize("mails", [2000])
def test_two_thousand_mails_and_five_kills(house, mails):
    nobody_is_left_out_and_no_no_is_passed_over(house, mails=mails, kills=5)


def test_control_a_worker_that_does_not_ask_again_writes_to_those_who_said_no(house, mails):
    gone = kill_often(house, "deaf", mails=mails, kills=1)
    assert set(gone) <= set(house.delivered)


def test_two_workers_at_once_send_each_mail_once(house):
    for process in [house.postman("careful") for _ in range(2)]:
        process.wait(PATIENCE_SECONDS)
    assert (len(house.delivered), set(house.delivered.values())) == (60, {1})


def test_control_two_workers_without_a_lease_send_some_twice(house):
    for process in [house.postman("unleased") for _ in range(2)]:
        process.wait(PATIENCE_SECONDS)
    assert max(house.delivered.values()) > 1


@pytest.mark.proof
@pytest.mark.parametrize("mails", [200])
def test_control_a_worker_that_ticks_off_too_early_loses_mails(house, mails):
    """Killed when the server has the next mail's recipient but not its text."""
    house.sink.seconds_a_mail = 0.05
    gone = kill_often(house, "hasty", mails=mails, kills=5)
    assert len(house.delivered) < mails - len(gone)
