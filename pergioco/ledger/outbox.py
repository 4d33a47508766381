"""Promises work in the transaction of the change that needs it."""

import logging
from contextvars import ContextVar
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from pergioco.ledger import relay
from pergioco.ledger.models import Outbox

logger = logging.getLogger(__name__)
# Whatever is promised while something is rehearsed, in order
rehearsed: ContextVar[list[Outbox] | None] = ContextVar("rehearsed", default=None)


def promise(step: str, *, not_before: datetime | None = None, **arguments: int | str) -> Outbox:
    """Writes the row; after the commit somebody is woken up. Arguments are ids: no personal data."""
    if step not in settings.PIPELINE_STEPS:
        raise LookupError(f"“{step}” is no step of the pipeline.")
    row = Outbox.objects.create(step=step, arguments=arguments, not_before=not_before or timezone.now())
    promised = rehearsed.get()
    if promised is not None:
        promised.append(row)
    elif not_before is None:
        # robust: the change is committed, so nothing that happens now may break the answer to who made it
        transaction.on_commit(lambda: wake(row.pk), robust=True)
    return row


def wake(row: int) -> None:
    """Only a wake-up: if it gets lost, the next round of the relay finds the row."""
    if not settings.BROKER_URL:
        relay.run_one(row)
        return
    from pergioco import celery

    try:
        celery.wake(row)
    except (OSError, BrokerError) as unreachable:
        logger.warning("broker unreachable, step %s waits for the relay: %s", row, type(unreachable).__name__)
