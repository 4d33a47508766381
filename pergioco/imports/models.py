"""Fetches from platforms, run by jobs."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pergioco.core.data import DataDeclaration
from pergioco.core.models import Job
from pergioco.players.models.accounts import Platform
from pergioco.stages.models import SourceFile, Stage


class Fetch(models.Model):
    """One tournament requested from its platform for a stage: gives a source file or a trouble."""

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

    stage = models.ForeignKey(
        Stage, models.CASCADE, related_name="fetches", verbose_name=_("stage")
    )
    platform = models.CharField(_("platform"), max_length=12, choices=Platform.choices)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    key = models.CharField(_("id on the platform"), max_length=100)
    job = models.ForeignKey(
        Job,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("waiting step"),
    )
    trouble = models.CharField(_("trouble"), max_length=20, blank=True)
    source = models.ForeignKey(
        SourceFile,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("source file"),
    )
    made_at = models.DateTimeField(_("asked"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )

    DATA = DataDeclaration(
        retention="seven days",
        staff="id stage platform kind key job trouble source made_at ended_at by",
        typed_text="key trouble",
        not_personal="which tournament an organizer asked a platform for",
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("fetch from a platform")
        verbose_name_plural = _("fetches from platforms")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["swiss", "arena", "tournament", "archived", "event"]),
                name="fetch_kind_is_known",
            ),
            models.CheckConstraint(
                condition=Q(platform__in=Platform.values), name="fetch_platform_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.platform} {self.key}"

    @property
    def state(self) -> State:
        if self.ended_at is not None:
            return self.State.FAILED if self.trouble else self.State.DONE
        of_job = self.job.state if self.job is not None else Job.State.FAILED
        states = {
            Job.State.QUEUED.value: self.State.WAITING,
            Job.State.LEASED.value: self.State.RUNNING,
        }
        return states.get(of_job, self.State.FAILED)

    @property
    def is_over(self) -> bool:
        return self.state in {self.State.DONE, self.State.FAILED}

    @property
    def received(self) -> int:
        """Number of documents."""
        return self.job.progress if self.job is not None else 0
