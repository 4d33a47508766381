"""What somebody writes to the federation: a complaint about a number, or a question."""

from datetime import date
from typing import ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pergioco.players import privacy
from pergioco.players.fields import random_id
from pergioco.stages.models import Revision


class CaseQuerySet(models.QuerySet["Case"]):
    def waiting(self) -> "CaseQuerySet":
        """Nobody has answered yet; who waits longest comes first."""
        return self.filter(state__in=[Case.State.RECEIVED, Case.State.LOOKED_AT]).order_by("due_on", "pk")


class Case(models.Model):
    class Kind(models.TextChoices):
        COMPLAINT = "complaint", _("complaint")
        QUESTION = "question", _("question")

    class Office(models.TextChoices):
        PGM = "pgm", "PerGioco Masters"
        BIG = "big", "Board Italian Gamers"
        RKM = "rkm", "RisiKo! Master"
        PRIVACY = "privacy", _("my data and privacy")
        PORTAL = "portal", _("this portal")

    class State(models.TextChoices):
        RECEIVED = "received", pgettext_lazy("case", "received")
        LOOKED_AT = "looked_at", pgettext_lazy("case", "being looked at")
        ANSWERED = "answered", pgettext_lazy("case", "answered")
        CLOSED = "closed", pgettext_lazy("case", "closed")

    key = models.CharField(_("key of the signed link"), max_length=32, unique=True, default=random_id, editable=False)
    submission = models.UUIDField(_("key of the form that was sent"), unique=True, default=uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=9, choices=Kind.choices)
    office = models.CharField(_("office"), max_length=7, choices=Office.choices, default=Office.PGM)
    page = models.CharField(_("page that it is about"), max_length=200, blank=True)
    name = models.CharField(_("name"), max_length=100)
    email = models.EmailField(_("e-mail address"))
    language = models.CharField(_("language"), max_length=2, choices=settings.LANGUAGES)
    text = models.TextField(_("what was written"), max_length=4000)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.RECEIVED)
    version = models.PositiveIntegerField(_("version"), default=1)
    sent_at = models.DateTimeField(_("sent"), auto_now_add=True)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("sent by")
    )
    due_on = models.DateField(_("to be answered by"))
    answer = models.TextField(_("answer"), max_length=4000, blank=True)
    finding = models.TextField(_("outcome in public"), max_length=500, blank=True)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("handled by")
    )
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    revision = models.ForeignKey(
        Revision,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="cases",
        verbose_name=_("correction that came of it"),
    )

    objects = CaseQuerySet.as_manager()

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id kind finding sent_at revision",
        privacy.STAFF: "office page name email language text state version sent_by due_on answer handled_by "
        "answered_at closed_at",
        privacy.SECRET: "key submission",
    }
    KEPT = "number, days and public outcome for ever; name, address and words until a year after it was closed"

    class Meta:
        verbose_name = _("complaint or question")
        verbose_name_plural = _("complaints and questions")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["received", "looked_at", "answered", "closed"]), name="case_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state="answered", answered_at__isnull=False) | ~Q(state="answered"),
                name="answered_case_says_when",
            ),
            models.CheckConstraint(
                condition=Q(state="closed", closed_at__isnull=False) | (~Q(state="closed") & Q(closed_at=None)),
                name="closed_case_says_when",
            ),
            models.CheckConstraint(
                condition=Q(kind="question") | Q(language__in=["it", "en"]), name="complaints_in_italian_or_english"
            ),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def number(self) -> str:
        """By which both sides call it."""
        return f"{timezone.localdate(self.sent_at).year}-{self.pk:04}"

    @property
    def is_complaint(self) -> bool:
        return self.kind == self.Kind.COMPLAINT

    @property
    def is_waiting(self) -> bool:
        return self.state in {self.State.RECEIVED, self.State.LOOKED_AT}

    def is_late(self, today: date) -> bool:
        return self.is_waiting and self.due_on < today
