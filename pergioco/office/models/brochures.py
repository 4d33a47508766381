"""Brochures and exports, both made by jobs."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.core import jobs
from pergioco.core.data import DataDeclaration
from pergioco.core.fields import user_key
from pergioco.core.models import Job
from pergioco.publishing.models import Publication
from pergioco.stages.models import Season


class Made(models.Model):
    """Made by a job, which has the state; the result is here."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("being made")
        DONE = "done", _("ready")
        FAILED = "failed", _("not made")

    job = models.ForeignKey(
        Job,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("waiting step"),
    )
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)
    made_at = models.DateTimeField(_("made"), null=True, blank=True)
    by = user_key(_("by"))

    class Meta:
        abstract = True

    def enqueue(self, kind: str, **arguments: Any) -> None:
        self.job = jobs.enqueue(kind, not_before=timezone.now(), **arguments)
        self.save(update_fields=["job"])

    @property
    def state(self) -> State:
        if self.made_at is not None:
            return self.State.DONE
        of_job = self.job.state if self.job is not None else Job.State.FAILED
        states = {
            Job.State.QUEUED.value: self.State.WAITING,
            Job.State.LEASED.value: self.State.RUNNING,
        }
        return states.get(of_job, self.State.FAILED)

    def get_state_display(self) -> str:
        return str(self.state.label)

    @property
    def is_over(self) -> bool:
        return self.state in {self.State.DONE, self.State.FAILED}

    @property
    def is_done(self) -> bool:
        return self.made_at is not None


GOING_ON = Q(job__state__in=[Job.State.QUEUED, Job.State.LEASED])


class Brochure(Made):
    """A requested brochure and its PDF."""

    class Kind(models.TextChoices):
        SEASON = "season", _("the whole season")
        RANKING = "ranking", _("one ranking")

    season = models.ForeignKey(
        Season, models.PROTECT, related_name="brochures", verbose_name=_("season")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    about = models.CharField(_("ranking"), max_length=80, blank=True)
    language = models.CharField(_("language"), max_length=2, choices=settings.LANGUAGES)
    sections = models.JSONField(_("sections"), default=list, blank=True)
    publication = models.ForeignKey(
        Publication,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("publication"),
    )
    file = models.CharField(_("file"), max_length=120, blank=True)
    pdf = models.BinaryField(_("PDF"), null=True, blank=True)
    sha256 = models.CharField(_("SHA-256"), max_length=64, blank=True)
    pages = models.PositiveSmallIntegerField(_("pages"), default=0)
    left_out = models.PositiveIntegerField(_("people left out"), default=0)
    named = models.JSONField(_("players named in it"), default=list, blank=True)
    named_by_big = models.JSONField(_("members of BIG named in it"), default=list, blank=True)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)

    DATA = DataDeclaration(
        retention=(
            "until it is made again or taken away; at once destroyed when somebody named in it may "
            "no longer be named"
        ),
        public=(
            "id season kind about language sections publication file pdf sha256 pages left_out "
            "published_at"
        ),
        staff="job asked_at made_at by named named_by_big",
        coded_text="about sections file sha256 named named_by_big",
        not_personal=(
            "what is public anyway; destroyed and made again as soon as somebody in it may not be "
            "named"
        ),
    )

    class Meta:
        verbose_name = _("brochure")
        verbose_name_plural = _("brochures")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "kind", "about", "language"],
                condition=Q(published_at__isnull=False),
                name="one_published_brochure_of_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["season", "ranking"]), name="brochure_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(made_at=None) | Q(pdf__isnull=False) & ~Q(sha256=""),
                name="brochure_done_has_its_bytes",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file or self.kind} {self.language}"


class Page(models.Model):
    """A page of a brochure as a picture, to check before publishing."""

    brochure = models.ForeignKey(
        Brochure, models.CASCADE, related_name="shown", verbose_name=_("brochure")
    )
    number = models.PositiveSmallIntegerField(_("page"))
    png = models.BinaryField(_("picture"))

    DATA = DataDeclaration(
        retention="with its brochure",
        public="id brochure number png",
        not_personal="a page of a brochure as a picture; it goes with its brochure",
        on_public_pages=False,
        export=False,
    )

    class Meta:
        verbose_name = _("page of a brochure")
        verbose_name_plural = _("pages of brochures")
        ordering = ["brochure", "number"]
        constraints = [
            models.UniqueConstraint(fields=["brochure", "number"], name="page_once_a_brochure")
        ]

    def __str__(self) -> str:
        return f"{self.brochure} {self.number}"


class Export(Made):
    """A saved export: a zip of tables, kept for seven days."""

    READY_FOR = timedelta(days=7)

    what = models.CharField(_("what"), max_length=20)
    season = models.ForeignKey(
        Season,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="exports",
        verbose_name=_("season"),
    )
    language = models.CharField(_("language"), max_length=2, choices=settings.LANGUAGES)
    rows = models.JSONField(_("rows in each table"), default=dict, blank=True)
    content = models.BinaryField(_("file"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="seven days after it was made; destroyed at once when anybody's data are erased",
        staff="id job asked_at made_at by what season language rows",
        hidden="content",
        coded_text="what rows",
        not_personal=(
            "what staff took away on duty; destroyed after seven days, and with every erasure"
        ),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(made_at=None) | Q(content__isnull=False),
                name="export_done_has_its_bytes",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.what} {self.season or ''}".strip()

    @property
    def total(self) -> int:
        return sum(self.rows.values())

    @property
    def until(self) -> datetime | None:
        return self.made_at + self.READY_FOR if self.made_at else None
