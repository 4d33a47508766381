"""A process that delivers what waits: `python -m tests.contact.postman MODE`, until nothing waits any more.

`hasty` is the control: it takes for delivered what it has only begun to send.
"""

import os
import sys
import time
from importlib import import_module

PAUSE_SECONDS = 0.02


def deliver(mode: str) -> None:
    from pergioco.ledger import relay
    from pergioco.ledger.models import Outbox

    if mode == "hasty":
        import_module("tests.ledger.hasty")
    take_hold = relay.claim

    def claim(pk):
        """A moment passes before the mail goes: a kill may fall into it."""
        row = take_hold(pk)
        time.sleep(PAUSE_SECONDS)
        return row

    relay.claim = claim
    while Outbox.objects.filter(done_at=None).exists():
        relay.run_waiting()
        time.sleep(0.02)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    import django

    django.setup()
    deliver(sys.argv[1])
