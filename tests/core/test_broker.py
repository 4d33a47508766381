"""Redis is lost and emptied again and again while work waits: all is done, and soon. It only
notifies workers.

The quick version of this is in `tests/system/test_production.py`.
"""

import random
import time

import pytest
from redis import Redis

from tests.publishing.test_faults import OPEN, House, end, house_of
from tests.servers import wait_until

pytestmark = [pytest.mark.proof, pytest.mark.postgresql, pytest.mark.redis]
LOSSES, JOBS_EACH = 20, 10
SETTLING_SECONDS, LONGEST_SECONDS = 30, 300

ENQUEUE = "from tests.core.test_broker import enqueue_some; enqueue_some({number})"


def enqueue_some(number: int) -> None:
    from django.db import transaction

    from pergioco.core import jobs
    from pergioco.core.models import OutgoingMail

    raw = b"From: p@example.org\nTo: m@example.org\n\nText"
    with transaction.atomic():
        for each in range(JOBS_EACH):
            mail = OutgoingMail.objects.create(
                message_id=f"{number}-{each}", recipient="m@example.org", raw=raw
            )
            jobs.enqueue("mail.send", mail=mail.pk)


def empty(house: House) -> None:
    with Redis.from_url(house.broker.url) as client:
        client.flushall()


def lose_again_and_again(house: House) -> float:
    """Seconds from the last loss until nothing waits any more."""
    chance = random.Random(2026)
    losses = ["lost", "emptied"] * LOSSES
    chance.shuffle(losses)
    for number, loss in enumerate(losses):
        house.shell(ENQUEUE.format(number=number))
        if loss == "emptied":
            empty(house)
        else:
            house.lose_broker()
    since = time.monotonic()
    wait_until(lambda: 1 / (house.ask(OPEN) == 0), seconds=LONGEST_SECONDS)
    return time.monotonic() - since


def test_forty_losses_of_the_broker_lose_no_work(tmp_path, figure):
    with house_of(tmp_path, "pergioco") as house:
        seconds = lose_again_and_again(house)
        left, sent = (
            house.ask(OPEN),
            house.ask("SELECT count(*) FROM core_outgoingmail WHERE closed_at IS NOT NULL"),
        )
    figure("T4", "of 400 jobs not done", 2 * LOSSES * JOBS_EACH - sent, target="0", met=left == 0)
    figure(
        "T4",
        "seconds until all was done",
        round(seconds),
        target=f"≤ {SETTLING_SECONDS}",
        met=seconds <= SETTLING_SECONDS,
    )
    assert (left, sent) == (0, 2 * LOSSES * JOBS_EACH)


def test_control_where_no_worker_looks_into_the_queue_work_is_lost_with_the_broker(
    tmp_path, figure
):
    """No worker hears of what was enqueued while it was away, and none looks by the clock."""
    with house_of(tmp_path, "pergioco") as house:
        end(house.beat)
        house.end_worker()
        house.shell(ENQUEUE.format(number=0))
        empty(house)
        house.start_worker()
        time.sleep(SETTLING_SECONDS)
        left = house.ask(OPEN)
    figure("T4", "of 400 jobs not done", f"{left} of {JOBS_EACH}")
    assert left == JOBS_EACH
