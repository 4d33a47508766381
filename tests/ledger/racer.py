"""A worker that races others for the same steps: `python -m tests.ledger.racer LOG START MODE SECONDS_A_STEP`.

Each run of a step appends one line to the log, which no rollback takes back.
"""

import os
import sys
import time
from pathlib import Path

log, start, mode, slow = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3], float(sys.argv[4])


def write_down(number: int) -> None:
    time.sleep(slow)
    with log.open("a", encoding="ascii") as lines:
        lines.write(f"{number}\n")
    if mode == "killed" and number % 10 == 0:
        os.kill(os.getpid(), 9)


def tick_off(row):
    if row:
        type(row).objects.filter(pk=row.pk).update(done_at=row.made_at)
    return row


def race() -> None:
    from django.conf import settings

    settings.PIPELINE_STEPS = {"write": "tests.ledger.racer.write_down"}
    settings.PIPELINE_OUTSIDE = frozenset({"write"})
    from pergioco.ledger import relay
    from pergioco.ledger.models import Outbox

    if mode == "unclaimed":  # looks whether the step is open, but takes hold of nothing
        relay.claim = lambda pk: Outbox.objects.filter(pk=pk, done_at=None).first()
    if mode == "hasty":  # takes for done what it has only begun
        claim = relay.claim
        relay.claim = lambda pk: tick_off(claim(pk))
        relay.finish = lambda row: None
    pks = list(Outbox.objects.values_list("pk", flat=True))
    time.sleep(max(0.0, start - time.time()))
    for pk in pks:
        relay.run_one(pk)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    import django

    django.setup()
    sys.modules["tests.ledger.racer"] = sys.modules["__main__"]
    race()
