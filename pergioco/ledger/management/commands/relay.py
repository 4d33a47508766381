"""Does the rounds without Celery: waiting steps, retries, tidying."""

import logging
import signal
from argparse import ArgumentParser
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import close_old_connections

from pergioco.ledger import relay

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Runs every round once: steps that are due, and what is tidied by the clock."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--forever", action="store_true", help="go on by the clock until ended")
        parser.add_argument("--try-again", action="store_true", help="first put back steps that were given up")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["try_again"]:
            self.stdout.write(f"put back: {relay.try_again()}")
        if options["forever"]:
            go_on()
            return
        for name in settings.PIPELINE_ROUNDS:
            relay.run_round(name)
        self.stdout.write(f"given up: {relay.given_up()}")


def go_on() -> None:
    """Until SIGTERM or Ctrl-C; what is being done is finished first."""
    ended = SimpleQueue[int]()  # of all ways to wait the one that a second signal in the middle of the first cannot jam
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: ended.put(number))
    due = dict.fromkeys(settings.PIPELINE_ROUNDS, monotonic())
    while not has_come(ended, within=max(0.0, min(due.values()) - monotonic())):
        name = min(due, key=due.__getitem__)
        due[name] = monotonic() + settings.PIPELINE_ROUNDS[name][1]
        try_round(name)


def has_come(signals: SimpleQueue[int], *, within: float) -> bool:
    with suppress(Empty):
        signals.get(timeout=within)
        return True
    return False


def try_round(name: str) -> None:
    """A round that fails (the database restarts, say) is tried again at its next turn."""
    close_old_connections()
    try:
        relay.run_round(name)
    except Exception as trouble:  # noqa: BLE001 - the clock goes on whatever happens
        logger.error("round %s failed: %s", name, type(trouble).__name__)
    close_old_connections()
