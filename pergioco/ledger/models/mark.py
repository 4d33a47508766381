"""What changed since when: the trace by which a page knows that it is still true."""

from typing import ClassVar

from django.db import models

from pergioco.players import privacy


class Mark(models.Model):
    """One transaction that changed something public. Written by the database itself, see `ledger/marks.py`."""

    id = models.BigIntegerField(primary_key=True)  # the transaction's own on PostgreSQL; SQLite counts up in one row
    made_at = models.DateTimeField()

    PRIVACY: ClassVar = {privacy.STAFF: "id made_at"}
    KEPT = "an hour"

    def __str__(self) -> str:
        return str(self.id)
