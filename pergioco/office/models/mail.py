"""Unsubscribe keys, newsletters, their deliveries and bounces."""

from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Delete, OnMerge
from pergioco.core.fields import random_id, user_key
from pergioco.players.models import Player
from pergioco.publishing.models import Publication


class MailKey(models.Model):
    """What the links in a player's mail are made of, by which it is ended without signing in."""

    player = models.OneToOneField(
        Player, models.CASCADE, related_name="mail_key", verbose_name=_("player")
    )
    key = models.CharField(_("key"), max_length=32, unique=True, default=random_id, editable=False)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="until the person is erased",
        member="id player made_at",
        hidden="key",
        person="player",
        on_erasure=Delete(_("the key in the links of our mail to you")),
        on_merge={"player": OnMerge.MOVE_IF_NONE},
        privacy_rows=(privacy_table.MAILS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("key of the links in mail")
        verbose_name_plural = _("keys of the links in mail")

    def __str__(self) -> str:
        return f"{self.player} {self.made_at:%Y-%m-%d}"


class Campaign(models.Model):
    """One newsletter. Its text is Markdown; a line like [[red 10]] stands for what is published
    when it leaves."""

    class State(models.TextChoices):
        DRAFT = "draft", _("being written")
        HELD = "held", _("about to leave")
        SENDING = "sending", _("leaving")
        SENT = "sent", _("sent")
        STOPPED = "stopped", _("stopped")

    LONGEST_SUBJECT, LONGEST_TEXT = 150, 20_000

    submission = models.UUIDField(
        _("key of the form that was sent"), unique=True, default=uuid4, editable=False
    )
    subject_it = models.CharField(_("Italian subject"), max_length=LONGEST_SUBJECT, blank=True)
    subject_en = models.CharField(_("English subject"), max_length=LONGEST_SUBJECT, blank=True)
    subject_es = models.CharField(_("Spanish subject"), max_length=LONGEST_SUBJECT, blank=True)
    text_it = models.TextField(_("Italian text"), max_length=LONGEST_TEXT, blank=True)
    text_en = models.TextField(_("English text"), max_length=LONGEST_TEXT, blank=True)
    text_es = models.TextField(_("Spanish text"), max_length=LONGEST_TEXT, blank=True)
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.DRAFT)
    version = models.PositiveIntegerField(_("version"), default=1)
    made_at = models.DateTimeField(_("begun"), auto_now_add=True)
    made_by = user_key(_("begun by"), blank=False)
    leaves_at = models.DateTimeField(_("leaves at"), null=True, blank=True)
    released_by = user_key(_("sent by"))
    # What its blocks show, in every mail and for ever: the rankings that were public when the first
    # mail left
    publication = models.ForeignKey(
        Publication,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("publication"),
    )
    begun_at = models.DateTimeField(_("first mail"), null=True, blank=True)
    ended_at = models.DateTimeField(_("last mail"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="for ever: everybody may read what was sent",
        public="id subject_it subject_en subject_es text_it text_en text_es publication begun_at",
        staff="submission state version made_at made_by leaves_at released_by ended_at",
        free_text="subject_it subject_en subject_es text_it text_en text_es",
        not_personal="a newsletter; who wrote it and let it go was on duty",
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("newsletter")
        verbose_name_plural = _("newsletters")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "held", "sending", "sent", "stopped"]),
                name="campaign_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "stopped"]) | Q(leaves_at__isnull=False),
                name="campaign_leaves_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return self.subject_it or self.subject_en or self.subject_es or str(_("without a subject"))

    def get_absolute_url(self) -> str:
        """The copy for everybody, in the language that is active."""
        return reverse("newsletter", args=[self.pk])

    @property
    def is_public(self) -> bool:
        """Stopping one takes its copy away too: it was stopped for a reason."""
        return self.state in {self.State.SENDING, self.State.SENT}

    @property
    def has_begun(self) -> bool:
        return self.begun_at is not None


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def waiting(self) -> "DeliveryQuerySet":
        return self.filter(state=Delivery.State.WAITING)


class Delivery(models.Model):
    """One mail of one newsletter to one person. Sent again after a crash, it bears the same
    number."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        SKIPPED = "skipped", _("did not want it any more")
        REFUSED = "refused", _("refused by the recipient's server")
        FAILED = "failed", _("given up after several tries")

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="deliveries", verbose_name=_("newsletter")
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="newsletters", verbose_name=_("player")
    )
    message_id = models.CharField(_("Message-ID"), max_length=120, unique=True)
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.WAITING)
    at = models.DateTimeField(_("when"), null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="a year after the newsletter, or until the person is erased",
        member="id campaign player message_id state at",
        coded_text="message_id",
        person="player",
        on_erasure=Delete(_("which newsletters you got")),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.MAILS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("mail of a newsletter")
        verbose_name_plural = _("mails of newsletters")
        ordering = ["campaign", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "player"], name="one_mail_a_person_and_newsletter"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "sent", "skipped", "refused", "failed"]),
                name="delivery_state_is_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "id"], condition=Q(state="waiting"), name="delivery_waiting"
            ),
        ]

    def __str__(self) -> str:
        return self.message_id


class Bounce(models.Model):
    """A mail came back. After some that nobody can ever deliver, the address gets no newsletter and
    no notice."""

    MOST_HARD = 3

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="bounces", verbose_name=_("player")
    )
    address = models.EmailField(_("address"))
    is_hard = models.BooleanField(_("for good"), default=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    noted_by = user_key(_("noted by"))

    DATA = DataDeclaration(
        retention="a year, or until the person is erased",
        member="id player address is_hard at",
        staff="noted_by",
        typed_text="address",
        person="player",
        on_erasure=Delete(_("mail to you that came back")),
        on_merge={"player": OnMerge.MOVE},
        privacy_rows=(privacy_table.MAILS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("mail that came back")
        verbose_name_plural = _("mails that came back")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.player} {self.at:%Y-%m-%d}"
