"""Seasons, games, and the calendar of stages of every circuit."""

from datetime import date, datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.timezone import make_aware
from django.utils.translation import gettext_lazy as _

from pergioco.core.data import AppendOnly, DataDeclaration
from pergioco.core.fields import in_language, user_key
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.players.models.accounts import Platform


class SeasonQuerySet(models.QuerySet["Season"]):
    def running_on(self, day: date) -> "SeasonQuerySet":
        return self.filter(starts_on__lte=day, ends_on__gte=day)


class Season(models.Model):
    """One year of PerGioco Masters, with the settings in force: only what differs from the defaults
    is stored."""

    year = models.PositiveSmallIntegerField(_("year"), unique=True)
    starts_on = models.DateField(_("starts on"))
    ends_on = models.DateField(_("ends on"))
    settings = models.JSONField(_("settings"), default=dict, blank=True)

    objects = SeasonQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="for ever",
        public="id year starts_on ends_on settings",
        coded_text="settings",
    )

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-year"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_on__gt=F("starts_on")), name="season_dates_run_forward"
            ),
            models.CheckConstraint(
                condition=Q(starts_on__year=F("year"), ends_on__year=F("year")),
                name="season_stays_in_its_year",
            ),
        ]

    def __str__(self) -> str:
        return f"PerGioco Masters {self.year}"


class Game(models.Model):
    """A title with a rating of its own; it may gather several variants of the platforms (PG-12)."""

    slug = models.SlugField(_("slug"), max_length=60, unique=True)
    name_it = models.CharField(_("Italian name"), max_length=80)
    name_en = models.CharField(_("English name"), max_length=80)
    name_es = models.CharField(_("Spanish name"), max_length=80)

    DATA = DataDeclaration(
        retention="for ever",
        public="id slug name_it name_en name_es",
        typed_text="name_it name_en name_es",
        coded_text="slug",
    )

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return in_language(self, "name")


class Variant(models.Model):
    """A platform's name for a way of playing; results arrive under it."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="variants", verbose_name=_("game"))
    platform = models.CharField(_("platform"), max_length=12, choices=Platform.choices)
    key = models.CharField(_("key on the platform"), max_length=80)

    DATA = DataDeclaration(
        retention="for ever",
        public="id game platform key",
        coded_text="key",
    )

    class Meta:
        verbose_name = _("variant")
        verbose_name_plural = _("variants")
        ordering = ["platform", "key"]
        constraints = [
            models.UniqueConstraint(fields=["platform", "key"], name="variant_belongs_to_one_game"),
            models.CheckConstraint(
                condition=Q(platform__in=Platform.values), name="variant_platform_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.platform}:{self.key}"


class StageQuerySet(models.QuerySet["Stage"]):
    def next_from(self, day: date) -> "StageQuerySet":
        return self.filter(ends_on__gte=day).order_by("starts_on", "id")

    def managed_by(self, user: User) -> "StageQuerySet":
        """Staff manage every stage, organizers their own; others are not found (404, not 403)."""
        if has_role(user, Role.STAFF):
            return self
        if has_role(user, Role.ORGANIZER):
            return self.filter(organizers=user)
        return self.none()


class Stage(models.Model):
    """One tournament on the calendar. Its revisions hold its results."""

    class Circuit(models.TextChoices):
        PGM = "pgm", "PerGioco Masters"
        BIG = "big", "Board Italian Gamers"
        RKM = "rkm", "RisiKo! Master"

    class System(models.TextChoices):
        ROUND_ROBIN = "round_robin", _("round robin")
        SWISS = "swiss", _("Swiss")
        KNOCKOUT = "knockout", _("knock-out")
        OTHER = "other", _("other")

    class Pace(models.TextChoices):
        REAL_TIME = "real_time", _("real time")
        TURN_BASED = "turn_based", _("turn based")

    class Status(models.TextChoices):
        PLANNED = "planned", _("planned")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")
        CORRECTED = "corrected", _("corrected")
        CANCELLED = "cancelled", _("cancelled")

    RACE_CAPACITY = 64
    MOST_RACE_STAGES = 12

    slug = models.SlugField(_("slug"), max_length=60, unique=True)
    circuit = models.CharField(
        _("circuit"), max_length=3, choices=Circuit.choices, default=Circuit.PGM
    )
    season = models.ForeignKey(
        Season, models.PROTECT, related_name="stages", verbose_name=_("season")
    )
    game = models.ForeignKey(Game, models.PROTECT, related_name="stages", verbose_name=_("game"))
    platform = models.CharField(_("platform"), max_length=12, choices=Platform.choices, blank=True)
    system = models.CharField(_("pairing system"), max_length=11, choices=System.choices)
    pace = models.CharField(_("pace"), max_length=10, choices=Pace.choices)
    starts_on = models.DateField(_("starts on"))
    ends_on = models.DateField(_("ends on"))
    begins_at = models.TimeField(_("time of the start, in Rome"), null=True, blank=True)
    place = models.CharField(_("where people meet"), max_length=200, blank=True)
    city = models.CharField(_("city"), max_length=100, blank=True)
    by_invitation = models.BooleanField(_("by invitation"), default=False)
    race = models.BooleanField(_("counts for the Race"), default=False)
    final = models.BooleanField(_("national final"), default=False)
    capacity = models.PositiveSmallIntegerField(_("capacity"), null=True, blank=True)
    link = models.URLField(_("link on the platform"), blank=True)
    seed = models.CharField(_("seed of the draws"), max_length=64, blank=True)
    status = models.CharField(
        _("status"), max_length=9, choices=Status.choices, default=Status.PLANNED
    )
    organizers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="stages", verbose_name=_("organizers")
    )

    objects = StageQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="for ever",
        public=(
            "id slug circuit season game platform system pace starts_on ends_on begins_at "
            "place city by_invitation race final capacity link seed status"
        ),
        staff="organizers",
        free_text="place",
        typed_text="city link",
        coded_text="slug seed",
        not_personal="the calendar; running a stage is a task that the federation gives",
    )

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["starts_on", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_on__gte=F("starts_on")), name="stage_dates_run_forward"
            ),
            models.CheckConstraint(
                condition=Q(circuit__in=["pgm", "big", "rkm"]), name="stage_circuit_is_known"
            ),
            models.CheckConstraint(
                condition=Q(platform__in=["", *Platform.values]), name="stage_platform_is_known"
            ),
            models.CheckConstraint(
                condition=Q(system__in=["round_robin", "swiss", "knockout", "other"]),
                name="stage_system_is_known",
            ),
            models.CheckConstraint(
                condition=Q(pace__in=["real_time", "turn_based"]), name="stage_pace_is_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["planned", "open", "closed", "corrected", "cancelled"]),
                name="stage_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(race=False)
                | Q(circuit="pgm", capacity__isnull=False, capacity__lte=64),
                name="race_stage_seats_64_at_most",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.starts_on:%d/%m/%Y}"

    def get_absolute_url(self) -> str:
        # Lists must load the season with `select_related`.
        return reverse("stage", args=[self.season.year, self.slug])

    @property
    def begins(self) -> datetime | None:
        return (
            make_aware(datetime.combine(self.starts_on, self.begins_at)) if self.begins_at else None
        )

    @property
    def is_closed(self) -> bool:
        return self.status in {self.Status.CLOSED, self.Status.CORRECTED}

    @property
    def is_cancelled(self) -> bool:
        return self.status == self.Status.CANCELLED

    @property
    def last_move(self) -> "DateChange | None":
        # Uses prefetched rows where there are any.
        return next(iter(self.date_changes.all()), None)


class DateChange(models.Model):
    """A change of a stage's dates: the calendar shows the old days struck out, with the reason."""

    stage = models.ForeignKey(
        Stage, models.CASCADE, related_name="date_changes", verbose_name=_("stage")
    )
    old_starts_on = models.DateField(_("started on"))
    old_ends_on = models.DateField(_("ended on"))
    new_starts_on = models.DateField(_("starts on"))
    new_ends_on = models.DateField(_("ends on"))
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = user_key(_("by"), blank=False)

    DATA = DataDeclaration(
        retention="for ever",
        public="id stage old_starts_on old_ends_on new_starts_on new_ends_on reason at",
        staff="by",
        free_text="reason",
        not_personal="the calendar again",
        append_only=AppendOnly(),
    )

    class Meta:
        verbose_name = _("moved date")
        verbose_name_plural = _("moved dates")
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.stage}: {self.old_starts_on} → {self.new_starts_on}"
