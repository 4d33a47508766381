"""A process that delivers what waits: `python -m tests.office.contact.postman MODE`, until nothing
waits any more.

`hasty` is the control: it takes for delivered what it has only begun to send.
"""

import os
import sys
import time
from importlib import import_module

PAUSE_SECONDS = 0.02


def deliver(mode: str) -> None:
    from pergioco.core import jobs
    from pergioco.core.models import Job

    if mode == "hasty":
        import_module("tests.core.hasty")
    take_hold = jobs.lease

    def claim(pk):
        """A moment passes before the mail goes: a kill may fall into it."""
        row = take_hold(pk)
        time.sleep(PAUSE_SECONDS)
        return row

    jobs.lease = claim
    while Job.objects.filter(done_at=None).exists():
        jobs.run_waiting()
        time.sleep(0.02)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    import django

    django.setup()
    deliver(sys.argv[1])
