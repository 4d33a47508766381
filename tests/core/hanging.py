"""A worker beside servers that accept and stay silent: `celery -A tests.core.hanging`, or
`python -m tests.core.hanging PORT [one-lane]` for the embedded profile.

Mail hangs by its settings. Platforms are looked for on this machine, at the port in HANGING_PORT,
and a brochure is never done."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import django

from pergioco.celery import app  # noqa: F401 - what Celery looks for

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pergioco.settings")
django.setup()

from pergioco.core import fetcher, jobs  # noqa: E402 - models need the set-up
from pergioco.office.services import brochures  # noqa: E402

HANGS_FOR = 120.0
SEAM = {
    "resolve": lambda host, port, **_: [(0, 0, 0, "", ("127.0.0.1", port))],
    "is_allowed": lambda _address: True,
    "context": None,
    "port": int(os.environ.get("HANGING_PORT", "1")),
    "seconds": fetcher.SECONDS,
}


def silent_platform() -> Any:
    """Made around the check that refuses arguments in production."""
    made = object.__new__(fetcher_class)
    for name, value in SEAM.items():
        object.__setattr__(made, name, value)
    return made


def never_done(brochure: int) -> Callable[[], None]:
    time.sleep(HANGS_FOR)
    raise TimeoutError


fetcher_class = fetcher.Fetcher
fetcher.Fetcher = silent_platform
jobs.kinds[brochures.MAKE] = jobs.Kind(never_done, jobs.PAPER, is_atomic=False)


def run_in_one_lane() -> None:
    """The control: one thread does everything in turn."""
    from threading import Event

    from pergioco.core.management.commands import run_worker

    for name, task in list(jobs.periodic_tasks.items()):
        jobs.periodic_tasks[name] = jobs.PeriodicTask(task.run, task.seconds, "all")
    run_worker.run_lane("all", Event())


if __name__ == "__main__":
    if "one-lane" in sys.argv:
        run_in_one_lane()
    else:
        from django.core.management import call_command

        call_command("run_worker", "--forever")
