"""Circuit breakers: after three failures in a row a server of others is left alone by all workers.

closed -> (three failures) -> open -> (a pause) -> one caller tries -> closed, or another pause

Kept in the database. Never inside a transaction: a failure would be rolled back with it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from pergioco.core.models import Breaker

MOST_FAILURES = 3
PAUSE = timedelta(seconds=30)
SHORTEST_WAIT = timedelta(seconds=1)


class Open(Exception):
    """The server is left alone; `pause` says for how long."""

    def __init__(self, pause: timedelta) -> None:
        super().__init__()
        self.pause = pause


@contextmanager
def guard(name: str, failures: tuple[type[Exception], ...]) -> Iterator[None]:
    """Raises `Open` instead of trying, and instead of the failure that opens it. Exceptions that
    are no failures of the server count as answers."""
    has_failed = enter(name)
    try:
        yield
    except failures as trouble:
        if note_failure(name, trouble):
            raise Open(PAUSE) from trouble
        raise
    except Exception:
        note_answer(name)
        raise
    if has_failed:
        note_answer(name)


def enter(name: str) -> bool:
    row = Breaker.objects.filter(name=name).first()
    if row is None or row.open_until is None:
        return row is not None and row.failures > 0
    # One caller tries. If it is killed, another one does after the next pause.
    now = timezone.now()
    due = Breaker.objects.filter(name=name, open_until__lte=now)
    if not due.update(open_until=now + PAUSE):
        raise Open(max(row.open_until - now, SHORTEST_WAIT))
    return True


def note_failure(name: str, trouble: Exception) -> bool:
    """True if the breaker is open now."""
    now = timezone.now()
    Breaker.objects.get_or_create(name=name)
    row = Breaker.objects.filter(name=name)
    row.update(failures=F("failures") + 1, trouble=type(trouble.__cause__ or trouble).__name__)
    row.filter(failures__gte=MOST_FAILURES, opened_at=None).update(
        opened_at=now, open_until=now + PAUSE
    )
    return bool(row.exclude(opened_at=None).update(open_until=now + PAUSE))


def note_answer(name: str) -> None:
    Breaker.objects.filter(name=name).update(
        failures=0, trouble="", opened_at=None, open_until=None
    )


def list_open() -> list[Breaker]:
    return list(Breaker.objects.exclude(opened_at=None))
