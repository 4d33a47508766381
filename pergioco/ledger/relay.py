"""Runs what was promised: at least once, in order, by one worker at a time."""

import logging
from contextlib import nullcontext
from datetime import timedelta
from traceback import format_tb

from django.conf import settings
from django.db import transaction
from django.db.models import F, Min
from django.utils import timezone
from django.utils.module_loading import import_string

from pergioco.ledger.models import MOST_TRIES, LastRun, Outbox

logger = logging.getLogger(__name__)
CLAIM = timedelta(minutes=5)  # longer than a worker may run (`task_time_limit`)
PAUSES = [timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1)]
AT_ONCE = 500
HOUR = 3600.0
KEPT = timedelta(days=30)


class ClaimLost(Exception):
    """The step took longer than its claim, and somebody else took it over."""


def run_waiting() -> int:
    """One round: everything that is due. Returns how many steps were done."""
    due = Outbox.objects.due(timezone.now()).values_list("pk", flat=True)
    return sum(run_one(pk) for pk in due[:AT_ONCE])


def run_round(name: str) -> None:
    dotted, seconds = settings.PIPELINE_ROUNDS[name]
    import_string(dotted)()
    if seconds >= HOUR:  # the others come round by the minute: /readyz tells when they do not
        LastRun.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def run_one(pk: int) -> bool:
    """True if the step was done now. A step that fails stays, with its trouble, and is tried again later."""
    row = claim(pk)
    if row is None:
        return False
    try:
        with nullcontext() if row.step in settings.PIPELINE_OUTSIDE else transaction.atomic():
            import_string(settings.PIPELINE_STEPS[row.step])(**row.arguments)
            finish(row)
    except Exception as trouble:  # noqa: BLE001 - whatever it is, the step stays and the round goes on
        put_back(row, trouble)
        return False
    return True


def claim(pk: int) -> Outbox | None:
    """One conditional UPDATE: of two workers one gets the row, on every database."""
    now = timezone.now()
    if not Outbox.objects.due(now).filter(pk=pk).update(claimed_until=now + CLAIM, tries=F("tries") + 1):
        return None
    return Outbox.objects.get(pk=pk)


def finish(row: Outbox) -> None:
    """In the step's own transaction: if the claim was lost meanwhile, the step's changes are rolled back."""
    mine = Outbox.objects.filter(pk=row.pk, tries=row.tries, done_at=None)
    if not mine.update(done_at=timezone.now(), claimed_until=None, trouble=""):
        raise ClaimLost


def put_back(row: Outbox, trouble: Exception) -> None:
    """Logs where it failed, never the message of the exception: it may quote personal data."""
    name = type(trouble).__name__
    logger.error("step %s (%s) failed: %s\n%s", row.pk, row.step, name, "".join(format_tb(trouble.__traceback__)))
    later = timezone.now() + PAUSES[min(row.tries, len(PAUSES)) - 1]
    mine = Outbox.objects.filter(pk=row.pk, tries=row.tries, done_at=None)
    mine.update(claimed_until=None, not_before=later, trouble=name)


def try_again() -> int:
    """For a person who removed the cause: steps that were given up, and those that pause, are due now."""
    now = timezone.now()
    return Outbox.objects.free(now).filter(tries__gt=0).update(tries=0, not_before=now)


def forget_done() -> None:
    Outbox.objects.filter(done_at__lt=timezone.now() - KEPT).delete()


def oldest_waiting_seconds() -> int:
    """For how long the step that waits longest has been due, whether nobody has begun it or its worker has died."""
    now = timezone.now()
    oldest = Outbox.objects.due(now).aggregate(at=Min("not_before"))["at"]
    return int((now - oldest).total_seconds()) if oldest else 0


def given_up() -> int:
    return Outbox.objects.filter(done_at=None, tries__gte=MOST_TRIES).count()
