"""Complaints and questions to the federation, and requests about personal data."""

from datetime import date
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Keep, OnMerge, Owner
from pergioco.core.fields import random_id, user_key
from pergioco.players.models import Person, Player
from pergioco.stages.models import Revision


class CaseQuerySet(models.QuerySet["Case"]):
    def waiting(self) -> "CaseQuerySet":
        """Unanswered cases, the earliest due first."""
        return self.filter(state__in=[Case.State.RECEIVED, Case.State.LOOKED_AT]).order_by(
            "due_on", "pk"
        )


def find_cases_written_by(owner: Owner) -> Q:
    """Signed in, or from an address of theirs."""
    people = Person.objects.filter(player__in=owner.players).select_related("user")
    return Q(sent_by__in=owner.users) | Q(
        email__in={person.email.lower() for person in people if person.email}
    )


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

    key = models.CharField(
        _("key of the signed link"), max_length=32, unique=True, default=random_id, editable=False
    )
    submission = models.UUIDField(
        _("key of the form that was sent"), unique=True, default=uuid4, editable=False
    )
    kind = models.CharField(_("kind"), max_length=9, choices=Kind.choices)
    office = models.CharField(_("office"), max_length=7, choices=Office.choices, default=Office.PGM)
    page = models.CharField(_("page that it is about"), max_length=200, blank=True)
    name = models.CharField(_("name"), max_length=100)
    email = models.EmailField(_("e-mail address"))
    language = models.CharField(_("language"), max_length=2, choices=settings.LANGUAGES)
    text = models.TextField(_("what was written"), max_length=4000)
    state = models.CharField(
        _("state"), max_length=9, choices=State.choices, default=State.RECEIVED
    )
    version = models.PositiveIntegerField(_("version"), default=1)
    sent_at = models.DateTimeField(_("sent"), auto_now_add=True)
    sent_by = user_key(_("sent by"))
    due_on = models.DateField(_("to be answered by"))
    answer = models.TextField(_("answer"), max_length=4000, blank=True)
    finding = models.TextField(_("outcome in public"), max_length=500, blank=True)
    handled_by = user_key(_("handled by"))
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

    DATA = DataDeclaration(
        retention=(
            "number, days and public outcome for ever; name, address and words until a year after "
            "it was closed"
        ),
        public="id kind finding sent_at revision",
        staff=(
            "office page name email language text state version sent_by due_on answer handled_by "
            "answered_at closed_at"
        ),
        hidden="key submission",
        free_text="name text answer finding",
        typed_text="email page",
        person=find_cases_written_by,
        on_erasure=Keep(
            _(
                "that you wrote to the office and what was found, without your words and your "
                "address"
            ),
            blank="page name email text answer",
        ),
        privacy_rows=(privacy_table.CASES,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("complaint or question")
        verbose_name_plural = _("complaints and questions")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["received", "looked_at", "answered", "closed"]),
                name="case_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(state="answered", answered_at__isnull=False) | ~Q(state="answered"),
                name="answered_case_says_when",
            ),
            models.CheckConstraint(
                condition=Q(state="closed", closed_at__isnull=False)
                | (~Q(state="closed") & Q(closed_at=None)),
                name="closed_case_says_when",
            ),
            models.CheckConstraint(
                condition=Q(kind="question") | Q(language__in=["it", "en"]),
                name="complaints_in_italian_or_english",
            ),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def number(self) -> str:
        """The case number that both sides use."""
        return f"{timezone.localdate(self.sent_at).year}-{self.pk:04}"

    @property
    def is_complaint(self) -> bool:
        return self.kind == self.Kind.COMPLAINT

    @property
    def is_waiting(self) -> bool:
        return self.state in {self.State.RECEIVED, self.State.LOOKED_AT}

    def is_late(self, today: date) -> bool:
        return self.is_waiting and self.due_on < today


class DataRequest(models.Model):
    class Kind(models.TextChoices):
        ACCESS = "access", _("to know what is kept (access)")
        PORTABILITY = "portability", _("to have the data as a file (portability)")
        RECTIFICATION = "rectification", _("to have them corrected (rectification)")
        ERASURE = "erasure", _("to be deleted (erasure)")

    class Way(models.TextChoices):
        MAIL = "mail", _("by e-mail")
        LETTER = "letter", _("by letter")
        PHONE = "phone", _("by phone")
        SPOKEN = "spoken", _("in person")
        FORM = "form", _("by the portal's form")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("data request", "open")
        DONE = "done", pgettext_lazy("data request", "done")
        REFUSED = "refused", pgettext_lazy("data request", "refused")

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="data_requests", verbose_name=_("player")
    )
    kind = models.CharField(_("what is asked"), max_length=13, choices=Kind.choices)
    way = models.CharField(_("how it was asked"), max_length=6, choices=Way.choices)
    asked_on = models.DateField(_("asked on"))
    due_on = models.DateField(_("due on"))
    note = models.TextField(_("note"), max_length=1000, blank=True)
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.OPEN)
    version = models.PositiveIntegerField(_("version"), default=1)
    noted_at = models.DateTimeField(_("noted"), auto_now_add=True)
    noted_by = user_key(_("noted by"), blank=False)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    settled_by = user_key(_("settled by"))
    reason = models.TextField(_("why it was refused"), max_length=2000, blank=True)

    DATA = DataDeclaration(
        retention=(
            "five years after it was settled, to show that it was; an erasure empties note and "
            "reason"
        ),
        member="id player kind way asked_on due_on state settled_at reason",
        staff="note version noted_at noted_by settled_by",
        free_text="note reason",
        person="player",
        on_erasure=Keep(
            _("that you asked about your data and when it was done"), blank="note reason"
        ),
        on_merge={"player": OnMerge.STAY},  # it was about the data of that one
        privacy_rows=(privacy_table.DATA_REQUESTS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("request about personal data")
        verbose_name_plural = _("requests about personal data")
        ordering = ["due_on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="open", settled_at=None)
                | (~Q(state="open") & Q(settled_at__isnull=False)),
                name="settled_data_request_says_when",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.asked_on}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    def is_late(self, today: date) -> bool:
        return self.is_open and self.due_on < today
