"""Requests for tournaments of BIG, and the sign-ups for them."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Delete, Keep
from pergioco.core.fields import random_id, user_key
from pergioco.players.models import Player
from pergioco.stages.models import Game, Stage


class EventQuerySet(models.QuerySet["Event"]):
    def homologated(self) -> "EventQuerySet":
        return self.filter(state=Event.State.HOMOLOGATED).select_related(
            "stage__game", "stage__season"
        )

    def waiting(self) -> "EventQuerySet":
        return self.filter(state=Event.State.SENT).order_by("sent_at", "id")


class Event(models.Model):
    """A request for a tournament. Once homologated it has a stage, and becomes the public page."""

    class State(models.TextChoices):
        SENT = "sent", _("sent")
        NEEDS_CHANGE = "change", _("to be changed")
        HOMOLOGATED = "homologated", _("homologated")
        REFUSED = "refused", _("refused")

    key = models.CharField(
        _("key of the signed link"), max_length=32, unique=True, default=random_id, editable=False
    )
    submission = models.UUIDField(
        _("key of the form that was sent"), unique=True, default=uuid4, editable=False
    )
    games = models.ManyToManyField(Game, blank=True, related_name="+", verbose_name=_("games"))
    other_games = models.CharField(_("games that are not on the list"), max_length=200, blank=True)
    place = models.CharField(_("public place"), max_length=120)
    address = models.CharField(_("address"), max_length=200)
    city = models.CharField(_("city"), max_length=100)
    starts_at = models.DateTimeField(_("day and time of the start"))
    organizer_name = models.CharField(_("organizer's name"), max_length=100)
    organizer_phone = models.CharField(_("organizer's phone"), max_length=30)
    organizer_email = models.EmailField(_("organizer's e-mail"))
    prizes = models.TextField(_("prizes"), max_length=1000, blank=True)
    rounds = models.PositiveSmallIntegerField(_("rounds"), null=True, blank=True)
    expected = models.PositiveSmallIntegerField(_("players expected"), null=True, blank=True)
    capacity = models.PositiveSmallIntegerField(_("seats"), null=True, blank=True)
    criterion = models.CharField(
        _("why so many seats, and who gets them"), max_length=200, blank=True
    )
    bring_box = models.BooleanField(_("players are asked to bring the game"), default=False)
    how = models.TextField(_("how it is played"), max_length=2000, blank=True)
    notes = models.TextField(_("notes for BIG"), max_length=2000, blank=True)
    language = models.CharField(
        _("language"), max_length=2, choices=settings.LANGUAGES, default="it"
    )
    state = models.CharField(_("state"), max_length=11, choices=State.choices, default=State.SENT)
    version = models.PositiveIntegerField(_("version"), default=1)
    answer = models.TextField(_("what BIG answered"), max_length=2000, blank=True)
    sent_at = models.DateTimeField(_("sent"), auto_now_add=True)
    sent_by = user_key(_("sent by"))
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    decided_by = user_key(_("decided by"))
    stage = models.OneToOneField(
        Stage,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="big_event",
        verbose_name=_("stage"),
    )

    objects = EventQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="for ever; the organizer's name, phone and e-mail until a year after the day",
        public=(
            "id games other_games place address city starts_at organizer_name "
            "organizer_phone organizer_email prizes rounds capacity criterion bring_box "
            "how state stage"
        ),
        staff="expected notes language version answer sent_at sent_by decided_at decided_by",
        hidden="key submission",
        free_text="other_games place address organizer_name prizes criterion how notes answer",
        typed_text="organizer_phone organizer_email city",
        person="sent_by",
        on_erasure=Keep(
            _("the tournaments of BIG that you asked for: where and when, without your words"),
            blank=(
                "organizer_name organizer_phone organizer_email other_games criterion prizes how "
                "notes answer"
            ),
        ),
        privacy_rows=(privacy_table.CONTACT,),
    )

    class Meta:
        verbose_name = _("BIG event")
        verbose_name_plural = _("BIG events")
        ordering = ["-starts_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["sent", "change", "homologated", "refused"]),
                name="big_event_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(state="homologated", stage__isnull=False)
                | (~Q(state="homologated") & Q(stage=None)),
                name="homologated_big_event_has_a_stage",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.place}, {self.city}"

    def get_absolute_url(self) -> str:
        return reverse("big-event", args=[self.stage.slug]) if self.stage else ""

    @property
    def is_open_to_change(self) -> bool:
        return self.state in {self.State.SENT, self.State.NEEDS_CHANGE}


class SignUpQuerySet(models.QuerySet["SignUp"]):
    def coming(self) -> "SignUpQuerySet":
        return self.filter(left_at=None)


class SignUp(models.Model):
    """A sign-up for an event. A guest's data stay here until check-in, then move to the person."""

    class Presence(models.TextChoices):
        EXPECTED = "", _("not seen yet")
        PRESENT = "present", _("present")
        ABSENT = "absent", _("absent")

    PERSONAL = ("first_name", "last_name", "email", "birth_date", "phone", "nickname")

    event = models.ForeignKey(
        Event, models.PROTECT, related_name="signups", verbose_name=_("BIG event")
    )
    key = models.CharField(
        _("key of the signed link"), max_length=32, unique=True, default=random_id, editable=False
    )
    submission = models.UUIDField(
        _("key of the form that was sent"), unique=True, default=uuid4, editable=False
    )
    player = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="big_signups",
        verbose_name=_("player"),
    )
    first_name = models.CharField(_("first name"), max_length=100, blank=True)
    last_name = models.CharField(_("surname"), max_length=100, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    birth_date = models.DateField(_("birth date"), null=True, blank=True)
    phone = models.CharField(_("phone"), max_length=30, blank=True)
    nickname = models.CharField(_("nickname on Board Game Arena"), max_length=60, blank=True)
    brings_box = models.BooleanField(_("brings a box of the game"), default=False)
    language = models.CharField(
        _("language"), max_length=2, choices=settings.LANGUAGES, default="it"
    )
    at_the_door = models.BooleanField(_("came without signing up"), default=False)
    presence = models.CharField(_("presence"), max_length=7, choices=Presence.choices, blank=True)
    signed_up_at = models.DateTimeField(_("signed up"), auto_now_add=True)
    left_at = models.DateTimeField(_("cannot come, said"), null=True, blank=True)

    objects = SignUpQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="until thirty days after the event; who played stands in its stage",
        staff=(
            "id event player first_name last_name email birth_date phone nickname "
            "brings_box language at_the_door presence signed_up_at left_at"
        ),
        hidden="key submission",
        typed_text="first_name last_name email phone nickname",
        person="player",
        on_erasure=Delete(_("your sign-ups for tournaments of BIG")),
        on_merge={"player": lambda kept: Q(event__signups__player=kept)},
        privacy_rows=(privacy_table.CONTACT,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("sign-up for a BIG event")
        verbose_name_plural = _("sign-ups for BIG events")
        ordering = ["event", "signed_up_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "player"],
                condition=Q(left_at=None),
                name="player_signs_up_once_an_event",
            ),
            models.UniqueConstraint(
                *("event", Lower("email"), Lower("last_name"), Lower("first_name"), "birth_date"),
                condition=Q(left_at=None, player=None) & ~Q(email=""),
                name="guest_signs_up_once_an_event",
            ),
            models.CheckConstraint(
                condition=Q(presence__in=["", "present", "absent"]),
                name="presence_at_an_event_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.signed_up_at:%d/%m/%Y}"
