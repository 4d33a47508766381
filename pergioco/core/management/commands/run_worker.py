"""Runs jobs and periodic tasks without Celery."""

import logging
import signal
from argparse import ArgumentParser
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand
from django.db import close_old_connections, connections

from pergioco.core import jobs

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Runs every job that is due, and every periodic task once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--forever", action="store_true", help="go on by the clock until ended")
        parser.add_argument(
            "--try-again", action="store_true", help="first put back jobs that were given up"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["try_again"]:
            self.stdout.write(f"put back: {jobs.try_again()}")
        if options["forever"]:
            run_forever()
            return
        jobs.run_waiting()
        for name in jobs.periodic_tasks:
            jobs.run_periodic(name)
        jobs.run_waiting()  # what they enqueued
        self.stdout.write(f"given up: {jobs.count_given_up()}")


def run_forever() -> None:
    # One thread a lane, so that numbers wait for neither mail nor paper; ends after the
    # current jobs
    signals = SimpleQueue[int]()  # a second signal during the first cannot deadlock it
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: signals.put(number))
    ended = Event()
    threads = [Thread(target=run_lane, args=(lane, ended), name=lane) for lane in jobs.LANES]
    for thread in threads:
        thread.start()
    while not has_come(signals, within=1.0):  # a signal just before the wait does not interrupt it
        pass
    ended.set()
    for thread in threads:
        thread.join()


def has_come(signals: SimpleQueue[int], *, within: float) -> bool:
    with suppress(Empty):
        signals.get(timeout=within)
        return True
    return False


def run_lane(lane: str, ended: Event) -> None:
    due = {name: monotonic() for name, task in jobs.periodic_tasks.items() if task.lane == lane}
    while not ended.wait(max(0.0, min(due.values()) - monotonic())):
        name = min(due, key=due.__getitem__)
        due[name] = monotonic() + jobs.periodic_tasks[name].seconds
        try_task(name)
    connections.close_all()


def try_task(name: str) -> None:
    # A task that fails, for example while the database restarts, runs again at its next turn
    close_old_connections()
    try:
        jobs.run_periodic(name)
    except Exception as trouble:  # noqa: BLE001 - the loop must go on
        logger.error("periodic task %s failed: %s", name, type(trouble).__name__)
    close_old_connections()
