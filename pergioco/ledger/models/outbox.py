"""Work that was promised in the transaction of a change, and is done after it."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy

MOST_TRIES = 5


class OutboxQuerySet(models.QuerySet["Outbox"]):
    def free(self, now: datetime) -> "OutboxQuerySet":
        """Not done, and in nobody's hands."""
        return self.filter(Q(claimed_until=None) | Q(claimed_until__lt=now), done_at=None)

    def due(self, now: datetime) -> "OutboxQuerySet":
        """Promised for now or before, and not given up."""
        return self.free(now).filter(tries__lt=MOST_TRIES, not_before__lte=now)


class Outbox(models.Model):
    """One step to run. Holds ids only, never personal data; run twice, it changes nothing the second time."""

    step = models.CharField(_("step"), max_length=60)
    arguments = models.JSONField(_("arguments"), default=dict)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    not_before = models.DateTimeField(_("not before"))
    claimed_until = models.DateTimeField(_("being run until"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    trouble = models.TextField(_("trouble"), blank=True)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)

    objects = OutboxQuerySet.as_manager()

    PRIVACY: ClassVar = {privacy.STAFF: "id step arguments made_at not_before claimed_until tries trouble done_at"}
    KEPT = "30 days after it was done"

    class Meta:
        verbose_name = _("waiting step")
        verbose_name_plural = _("waiting steps")
        ordering = ["id"]
        indexes = [models.Index(fields=["not_before", "id"], condition=Q(done_at=None), name="outbox_waiting")]

    def __str__(self) -> str:
        return f"{self.step} {self.arguments}"


class LastRun(models.Model):
    """When a round of the clock ran last, to the end."""

    name = models.CharField(_("round"), max_length=40, unique=True)
    at = models.DateTimeField(_("last run"))

    PRIVACY: ClassVar = {privacy.STAFF: "id name at"}
    KEPT = "until the next run"

    class Meta:
        verbose_name = _("last run of a round")
        verbose_name_plural = _("last runs of rounds")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
