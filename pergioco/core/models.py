"""Users, known devices, jobs, outgoing mail, short memory, circuit breakers, cache versions."""

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Lower, Now
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Delete, Keep


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractUser):
    """Identified by e-mail address; its person, if any, is `user.person`."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail"), unique=True)
    language = models.CharField(
        _("language"), max_length=2, choices=settings.LANGUAGES, default="it"
    )

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    DATA = DataDeclaration(
        retention="until the person is erased",
        member="id email language date_joined last_login",
        staff="is_active is_staff is_superuser groups user_permissions",
        hidden="password",
        typed_text="email",
        person="pk",
        on_erasure=Keep(_("an empty login, without address, password or rights")),
        privacy_rows=(privacy_table.CONTACT, privacy_table.CREDENTIALS),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("login")
        verbose_name_plural = _("logins")
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_once_in_any_case")]

    def __str__(self) -> str:
        return self.email

    @cached_property
    def group_names(self) -> frozenset[str]:
        # Cached: a request checks roles many times
        return frozenset(self.groups.values_list("name", flat=True))

    def get_full_name(self) -> str:
        return str(getattr(self, "person", "") or self.email)

    def get_short_name(self) -> str:
        return self.get_full_name()


class KnownDevice(models.Model):
    """A browser in which somebody signed in fully: guesses from elsewhere do not keep it out."""

    user = models.ForeignKey(
        User, models.CASCADE, verbose_name=_("login"), related_name="known_devices"
    )
    key = models.CharField(_("key"), max_length=64)  # hash of the cookie
    # Hash of the password's hash: a new password, set in whatever way, ends it
    bound_to = models.CharField(_("bound to the password"), max_length=64)
    browser = models.CharField(_("browser"), max_length=200, blank=True)
    made_at = models.DateTimeField(_("known since"), auto_now_add=True)
    seen_at = models.DateTimeField(_("last sign-in"))

    DATA = DataDeclaration(
        retention="half a year after the last sign-in there",
        member="id user browser made_at seen_at",
        hidden="key bound_to",
        typed_text="browser",
        person="user",
        on_erasure=Delete(_("browsers in which the person has signed in")),
        privacy_rows=(privacy_table.DEVICES,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("known device")
        verbose_name_plural = _("known devices")
        ordering = ["-seen_at"]
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="known_device_once_a_login")
        ]

    def __str__(self) -> str:
        return self.browser


class ShortMemory(models.Model):
    """What limits counted, codes that were used, locks. Read and written by `short_memory.py`."""

    key = models.CharField(_("key"), max_length=80, primary_key=True)  # a hash
    value = models.TextField(_("value"))  # JSON
    expires_at = models.FloatField(_("forgotten at"), db_index=True)  # seconds since 1970

    DATA = DataDeclaration(
        retention="until its limit ends: a day at most",
        hidden="key value expires_at",
        on_public_pages=False,
        export=False,
    )

    class Meta:
        verbose_name = _("short memory")
        verbose_name_plural = _("short memory")

    def __str__(self) -> str:
        return self.key


MOST_ATTEMPTS = 5
SILENCE = timedelta(seconds=20)  # after which a worker is dead: four heartbeats missed


class JobQuerySet(models.QuerySet["Job"]):
    def not_done(self) -> "JobQuerySet":
        return self.exclude(state=Job.State.DONE)

    def going_on(self) -> "JobQuerySet":
        return self.filter(state__in=[Job.State.QUEUED, Job.State.LEASED])

    def due(self, now: datetime) -> "JobQuerySet":
        queued = Q(state=Job.State.QUEUED, not_before__lte=now)
        return self.filter(queued | is_abandoned(now), attempts__lt=MOST_ATTEMPTS)

    def abandoned(self, now: datetime) -> "JobQuerySet":
        return self.filter(is_abandoned(now))

    def unblocked(self) -> "JobQuerySet":
        leased = Job.objects.filter(group=OuterRef("group"), state=Job.State.LEASED).order_by()
        return self.filter(Q(group="") | ~Exists(leased.exclude(pk=OuterRef("pk"))))


def is_abandoned(now: datetime) -> Q:
    """Its worker died, or hangs for longer than a lease."""
    gone = Q(leased_until__lt=now) | Q(seen_at__lt=now - SILENCE)
    return Q(state=Job.State.LEASED) & gone


class Job(models.Model):
    """Holds ids only, no personal data. Running a job twice must change nothing the second
    time."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        LEASED = "leased", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    class Lane(models.TextChoices):
        NUMBERS = "numbers", _("numbers")
        OUTSIDE = "outside", _("mail and platforms")
        PAPER = "paper", _("PDF and exports")

    kind = models.CharField(_("kind"), max_length=60)
    arguments = models.JSONField(_("arguments"), default=dict)
    lane = models.CharField(_("queue"), max_length=7, choices=Lane.choices, default=Lane.NUMBERS)
    is_bulk = models.BooleanField(_("after all others"), default=False)
    state = models.CharField(_("state"), max_length=6, choices=State.choices, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(_("tries"), default=0)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    not_before = models.DateTimeField(_("not before"))
    leased_until = models.DateTimeField(_("being run until"), null=True, blank=True)
    # Null with jobs of the version before, which has no heartbeat
    seen_at = models.DateTimeField(_("last sign of its worker"), null=True, blank=True)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    trouble = models.TextField(_("trouble"), blank=True)
    progress = models.PositiveIntegerField(_("progress"), default=0)
    progress_of = models.PositiveIntegerField(_("progress: of how many"), default=0)
    # Of jobs with the same key one is queued. It is taken off once a worker begins: a later change
    # needs a later job.
    unique_key = models.CharField(_("key"), max_length=100, blank=True)
    # Of jobs of the same group one is run at a time.
    group = models.CharField(_("group"), max_length=60, blank=True)

    objects = JobQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="30 days after it was done",
        staff="id kind arguments lane is_bulk state attempts made_at not_before leased_until "
        "seen_at done_at trouble "
        "progress progress_of unique_key group",
        coded_text="kind arguments unique_key group",
        typed_text="trouble",
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("waiting step")
        verbose_name_plural = _("waiting steps")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "leased", "done", "failed"]),
                name="job_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(lane__in=["numbers", "outside", "paper"]), name="job_lane_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state="leased") ^ Q(leased_until__isnull=True),
                name="job_leased_until_a_time",
            ),
            models.CheckConstraint(
                condition=Q(state="done") ^ Q(done_at__isnull=True), name="job_done_at_a_time"
            ),
            models.UniqueConstraint(
                fields=["unique_key"], condition=~Q(unique_key=""), name="job_queued_once_a_key"
            ),
            models.UniqueConstraint(
                fields=["group"],
                condition=Q(state="leased") & ~Q(group=""),
                name="job_of_a_group_one_at_a_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["lane", "is_bulk", "id"],
                condition=Q(state__in=["queued", "leased"]),
                name="job_going_on",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.arguments}"


class LastRun(models.Model):
    """When a periodic task, the check of all numbers or a backup last completed."""

    name = models.CharField(_("round"), max_length=40, unique=True)
    at = models.DateTimeField(_("last run"), null=True, blank=True)
    # By which migration it came: until its first run its age counts from here
    awaited_since = models.DateTimeField(_("awaited since"), db_default=Now())

    DATA = DataDeclaration(
        retention="until the next run",
        staff="id name at awaited_since",
        coded_text="name",
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("last run of a round")
        verbose_name_plural = _("last runs of rounds")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Breaker(models.Model):
    """Whether a server of others is left alone for a while, see `core/breaker.py`."""

    name = models.CharField(_("server"), max_length=40, unique=True)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0)
    trouble = models.CharField(_("trouble"), max_length=60, blank=True)
    opened_at = models.DateTimeField(_("left alone since"), null=True, blank=True)
    open_until = models.DateTimeField(_("next try"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="for ever: one row a server",
        staff="id name failures trouble opened_at open_until",
        coded_text="name trouble",
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("circuit breaker")
        verbose_name_plural = _("circuit breakers")
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(opened_at__isnull=True, open_until__isnull=True)
                | Q(opened_at__isnull=False, open_until__isnull=False),
                name="breaker_is_open_until_a_time",
            )
        ]

    def __str__(self) -> str:
        return self.name


class OutgoingMail(models.Model):
    """One mail to one address, written in the transaction that caused it; emptied once sent."""

    message_id = models.CharField(_("Message-ID"), max_length=120, unique=True)
    recipient = models.EmailField(_("recipient"))
    raw = models.BinaryField(_("message"))
    made_at = models.DateTimeField(_("written"), auto_now_add=True)
    closed_at = models.DateTimeField(_("sent or refused"), null=True, blank=True)
    refused = models.BooleanField(_("refused by the recipient's server"), default=False)

    DATA = DataDeclaration(
        retention="address and text until sent or refused; the empty row 30 days",
        staff="id message_id made_at closed_at refused recipient",
        hidden="raw",
        typed_text="recipient message_id",
        privacy_rows=(privacy_table.MAILS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("outgoing mail")
        verbose_name_plural = _("outgoing mail")
        ordering = ["id"]

    def __str__(self) -> str:
        return self.message_id


class CacheVersion(models.Model):
    """A transaction that changed something public, or the sum of all earlier ones. Written by
    triggers, see `core/cache_versions.py`."""

    # On PostgreSQL the number of the transaction; 0 is the sum of those that were compacted.
    id = models.BigIntegerField(primary_key=True)
    made_at = models.DateTimeField()
    # How many changes of each group of tables
    people = models.BigIntegerField(default=0, db_default=0)
    play = models.BigIntegerField(default=0, db_default=0)
    rest = models.BigIntegerField(default=0, db_default=0)

    DATA = DataDeclaration(
        retention="a minute, then as a number",
        staff="id made_at people play rest",
        on_public_pages=False,
        export=False,
    )

    class Meta:
        verbose_name = _("version of cached pages")
        verbose_name_plural = _("versions of cached pages")

    def __str__(self) -> str:
        return str(self.id)
