"""What a change would do, found out by doing it: the very run, in a transaction that is always taken back."""

from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from pergioco.ledger.outbox import rehearsed

Result = TypeVar("Result")
# Whoever looks at a page gives way to whoever works: PostgreSQL would look for a deadlock only after a second.
PATIENCE = {"lock_timeout": "900ms", "statement_timeout": "5s"}


def rehearse(act: Callable[[], Result]) -> Result:
    """What `act` returned is all that stays of it, so it must be read already. Nobody is woken up, no mail leaves."""
    token = rehearsed.set([])
    try:
        with transaction.atomic():
            be_impatient()
            result = act()
            transaction.set_rollback(True)
    finally:
        rehearsed.reset(token)
    return result


def carry_out() -> None:
    """Inside a rehearsal: what was promised for now, in order, and what that promises in turn. What reaches out of the
    house stays undone, and so does what was promised for later."""
    promised = rehearsed.get()
    assert promised is not None, "only while something is rehearsed"
    for row in promised:  # it grows meanwhile
        if row.step not in settings.PIPELINE_OUTSIDE and row.not_before <= timezone.now():
            import_string(settings.PIPELINE_STEPS[row.step])(**row.arguments)


def be_impatient() -> None:
    """Until the end of this transaction."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for name, value in PATIENCE.items():
                cursor.execute(f"SET LOCAL {name} = '{value}'")
