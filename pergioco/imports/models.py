"""What is fetched from a platform takes its time: how far it is stands here."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy
from pergioco.players.models.accounts import Platform
from pergioco.stages.models import SourceFile, Stage


class Fetch(models.Model):
    """One tournament, asked of its platform for a stage. Its result is a source file; its failure a sentence."""

    class Kind(models.TextChoices):
        SWISS = "swiss", _("Swiss tournament")
        ARENA = "arena", _("arena")
        TOURNAMENT = "tournament", _("tournament")
        ARCHIVED = "archived", _("archived tournament")
        EVENT = "event", _("event")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    LONGEST = timedelta(seconds=280)  # longer than a worker may run, shorter than its claim

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="fetches", verbose_name=_("stage"))
    platform = models.CharField(_("platform"), max_length=12, choices=Platform.choices)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    key = models.CharField(_("id on the platform"), max_length=100)
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.WAITING)
    received = models.PositiveSmallIntegerField(_("documents received"), default=0)
    trouble = models.CharField(_("trouble"), max_length=20, blank=True)
    source = models.ForeignKey(
        SourceFile, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("source file")
    )
    made_at = models.DateTimeField(_("asked"), auto_now_add=True)
    began_at = models.DateTimeField(_("begun"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by"))

    PRIVACY: ClassVar = {
        privacy.STAFF: "id stage platform kind key state received trouble source made_at began_at ended_at by",
    }
    KEPT = "seven days"

    class Meta:
        verbose_name = _("fetch from a platform")
        verbose_name_plural = _("fetches from platforms")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["platform"], condition=Q(state="running"), name="platform_is_fetched_from_once_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed"]), name="fetch_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["swiss", "arena", "tournament", "archived", "event"]), name="fetch_kind_is_known"
            ),
            models.CheckConstraint(condition=Q(platform__in=Platform.values), name="fetch_platform_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.platform} {self.key}"

    @property
    def is_over(self) -> bool:
        return self.state in {self.State.DONE, self.State.FAILED}

    def was_given_up(self, now: datetime) -> bool:
        """Its worker died: nobody will finish it."""
        return self.state == self.State.RUNNING and self.began_at is not None and now - self.began_at > self.LONGEST
