"""What changed since when: the trace by which a page knows that it is still true."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy


class Mark(models.Model):
    """One transaction that changed something public, or the number of all before. Written by the database itself, see
    `ledger/marks.py`."""

    id = models.BigIntegerField(primary_key=True)  # the transaction's own on PostgreSQL; 0 holds all that are counted
    made_at = models.DateTimeField()
    # Of what it changed something
    people = models.BigIntegerField(default=0, db_default=0)
    play = models.BigIntegerField(default=0, db_default=0)
    rest = models.BigIntegerField(default=0, db_default=0)

    PRIVACY: ClassVar = {privacy.STAFF: "id made_at people play rest"}
    KEPT = "a minute, then as a number"

    class Meta:
        verbose_name = _("mark of a change")
        verbose_name_plural = _("marks of changes")

    def __str__(self) -> str:
        return str(self.id)
