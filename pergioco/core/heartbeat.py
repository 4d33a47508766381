"""While a worker runs a job, the job's row says that the worker lives.

Without it the job of a worker that died would wait for the end of its lease.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.db import Error, connection
from django.utils import timezone

from pergioco.core.models import JobQuerySet

logger = logging.getLogger(__name__)
SECONDS = 5.0


@contextmanager
def heartbeat(lease: JobQuerySet) -> Iterator[None]:
    """`lease`: the row, as long as this worker holds it."""
    ended = Event()
    Thread(target=beat, args=(lease, ended), name="heartbeat", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def beat(lease: JobQuerySet, ended: Event) -> None:
    while not ended.wait(SECONDS):
        try:
            lease.update(seen_at=timezone.now())
        except Error as trouble:  # the next one may get through
            logger.warning("no heartbeat: %s", type(trouble).__name__)
        finally:
            connection.close()  # this thread's own
