"""Shows what a change would do: the same code, in a transaction that is always rolled back."""

from collections.abc import Callable
from typing import TypeVar

from django.db import connection, transaction
from django.utils import timezone

from pergioco.core import jobs

Result = TypeVar("Result")
# Who looks at a page gives way to who works: PostgreSQL would look for a deadlock only after a
# second.
LOCK_TIMEOUT = {"lock_timeout": "900ms", "statement_timeout": "5s"}


def dry_run(act: Callable[[], Result]) -> Result:
    """Runs `act` and rolls it back; only its return value remains, so read what you need.
    Notifies no worker and sends no mail."""
    token = jobs.collected.set([])
    try:
        with transaction.atomic():
            set_lock_timeout()
            result = act()
            transaction.set_rollback(True)
    finally:
        jobs.collected.reset(token)
    return result


def run_collected_jobs() -> None:
    """Runs what the dry run enqueued for now, and what that enqueues. Skips delayed jobs and
    jobs with outside effects."""
    collected = jobs.collected.get()
    assert collected is not None, "only inside a dry run"
    for job in collected:  # it grows meanwhile
        kind = jobs.kinds[job.kind]
        if kind.is_atomic and job.not_before <= timezone.now():
            kind.run(**job.arguments)


def set_lock_timeout() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for name, value in LOCK_TIMEOUT.items():
                cursor.execute(f"SET LOCAL {name} = '{value}'")
