"""What happened at the tables. A revision that was closed is never edited: a correction is the next one."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy
from pergioco.players.models.people import Player
from pergioco.stages.models.calendar import Stage


class Entry(models.Model):
    """A player in a stage."""

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="entries", verbose_name=_("stage"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries", verbose_name=_("player"))
    withdrew_after_round = models.PositiveSmallIntegerField(_("withdrew after round"), null=True, blank=True)
    entered_at = models.DateTimeField(_("entered"), auto_now_add=True)

    PRIVACY: ClassVar = {privacy.PUBLIC: "id stage player withdrew_after_round entered_at"}
    KEPT = "for ever: it names nobody"

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["stage", "id"]
        constraints = [models.UniqueConstraint(fields=["stage", "player"], name="player_enters_a_stage_once")]

    def __str__(self) -> str:
        return f"{self.stage}: {self.player}"


class SourceFile(models.Model):
    """What a stage's results were read from: the very bytes, so that they can be read again."""

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="source_files", verbose_name=_("stage"))
    name = models.CharField(_("name"), max_length=200)
    url = models.URLField(_("address"), max_length=500, blank=True)
    raw = models.BinaryField(_("content"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    reader = models.CharField(_("reader"), max_length=40)
    reader_version = models.PositiveSmallIntegerField(_("version of the reader"))
    read_at = models.DateTimeField(_("read"), auto_now_add=True)
    read_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    used_at = models.DateTimeField(_("used"), null=True, blank=True)

    PRIVACY: ClassVar = {
        privacy.STAFF: "id stage name url raw sha256 reader reader_version read_at read_by used_at",
    }
    KEPT = "for ever if it was used; seven days if it was only looked at"

    class Meta:
        verbose_name = _("source file")
        verbose_name_plural = _("source files")
        ordering = ["-read_at", "-id"]

    def __str__(self) -> str:
        return self.name


class Revision(models.Model):
    """One version of a stage's results, whole. Exactly one is current once the stage was closed."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        WAITING = "waiting", _("waiting for a second person")
        CURRENT = "current", _("current")
        SUPERSEDED = "superseded", _("superseded")
        DROPPED = "dropped", _("dropped")

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="revisions", verbose_name=_("stage"))
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    reason = models.TextField(_("reason"), blank=True)
    replaces = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("took the place of")
    )
    made_at = models.DateTimeField(_("begun"), auto_now_add=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("begun by")
    )
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("closed by")
    )
    approved_at = models.DateTimeField(_("approved"), null=True, blank=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("approved by"),
    )
    sha256 = models.CharField(_("SHA-256 of the facts"), max_length=64, blank=True)
    verified_sha256 = models.CharField(_("SHA-256 of the facts typed a second time"), max_length=64, blank=True)

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id stage number state reason replaces made_at closed_at approved_at sha256",
        privacy.STAFF: "made_by closed_by approved_by verified_sha256",
    }
    KEPT = "for ever"

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="revision_number_once_a_stage"),
            models.UniqueConstraint(
                fields=["stage"], condition=Q(state="current"), name="stage_has_one_current_revision"
            ),
            models.UniqueConstraint(
                fields=["stage"], condition=Q(state__in=["draft", "waiting"]), name="stage_has_one_draft"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "waiting", "current", "superseded", "dropped"]),
                name="revision_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(approved_by=None) | Q(closed_by=None) | ~Q(approved_by=models.F("closed_by")),
                name="revision_is_approved_by_another",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} ({self.number})"


class Round(models.Model):
    """A round of a stage; its phase, where the circuit has phases."""

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="rounds", verbose_name=_("revision"))
    number = models.PositiveSmallIntegerField(_("number"))
    phase = models.CharField(_("phase"), max_length=20, blank=True)

    PRIVACY: ClassVar = {privacy.PUBLIC: "id revision number phase"}
    KEPT = "for ever"

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["revision", "number"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "number"], name="round_number_once_a_revision"),
            models.CheckConstraint(condition=Q(number__gte=1), name="rounds_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.revision}.{self.number}"


class Table(models.Model):
    """One play of a game. Its version is what two people at the same table are told apart by."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables", verbose_name=_("round"))
    number = models.PositiveSmallIntegerField(_("number"))
    version = models.PositiveIntegerField(_("version"), default=0)
    source = models.ForeignKey(
        SourceFile, models.PROTECT, null=True, blank=True, related_name="tables", verbose_name=_("read from")
    )
    source_line = models.PositiveIntegerField(_("line"), null=True, blank=True)
    platform_key = models.CharField(_("id on the platform"), max_length=80, blank=True)

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id round number version",
        privacy.STAFF: "source source_line platform_key",
    }
    KEPT = "for ever"

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once_a_round"),
            models.CheckConstraint(condition=Q(number__gte=1), name="tables_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.round}.{self.number}"


class Seat(models.Model):
    """One player's part in one play, with its outcome. A bye is a table of one."""

    class Outcome(models.TextChoices):
        WIN = "win", _("win")
        DRAW = "draw", _("draw")
        LOSS = "loss", _("loss")

    class Kind(models.TextChoices):
        PLAYED = "played", _("played")
        WALKOVER = "walkover", _("won: the opponent was absent")
        NO_SHOW = "no_show", _("was absent")
        QUIT = "quit", _("abandoned")
        BYE = "bye", _("bye")

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats", verbose_name=_("table"))
    position = models.PositiveSmallIntegerField(_("seat"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats", verbose_name=_("player"))
    outcome = models.CharField(_("outcome"), max_length=4, choices=Outcome.choices, blank=True)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices, blank=True)
    score = models.DecimalField(_("score"), max_digits=10, decimal_places=2, null=True, blank=True)
    bid = models.DecimalField(_("bid"), max_digits=10, decimal_places=2, null=True, blank=True)
    off_objective = models.DecimalField(
        _("points outside the objective"), max_digits=10, decimal_places=2, null=True, blank=True
    )
    objective_made = models.BooleanField(_("objective made"), default=False)
    timed_out = models.BooleanField(_("out of time"), default=False)
    played_on = models.DateField(_("played on"), null=True, blank=True)

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id table position player outcome kind score bid off_objective objective_made timed_out "
        "played_on",
    }
    KEPT = "for ever: it names nobody"

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["table", "position"]
        constraints = [
            models.UniqueConstraint(fields=["table", "position"], name="seat_once_a_table"),
            models.UniqueConstraint(fields=["table", "player"], name="player_once_a_table"),
            models.CheckConstraint(condition=Q(position__gte=1, position__lte=7), name="seats_are_one_to_seven"),
            models.CheckConstraint(condition=Q(outcome__in=["", "win", "draw", "loss"]), name="outcome_is_known"),
            models.CheckConstraint(
                condition=Q(kind__in=["", "played", "walkover", "no_show", "quit", "bye"]), name="seat_kind_is_known"
            ),
            models.CheckConstraint(condition=~Q(kind="walkover") | Q(outcome="win"), name="walkover_is_a_win"),
            models.CheckConstraint(
                condition=~Q(kind__in=["no_show", "quit"]) | Q(outcome="loss"), name="absence_is_a_loss"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}.{self.position}"


class Change(models.Model):
    """One step of the work on a draft, as it was before and after: this is what undo goes back on."""

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="changes", verbose_name=_("revision"))
    submission = models.UUIDField(_("submission"), unique=True)
    table = models.ForeignKey(
        Table, models.SET_NULL, null=True, blank=True, related_name="changes", verbose_name=_("table")
    )
    what = models.CharField(_("what"), max_length=20)
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by"))
    undone = models.BooleanField(_("undone"), default=False)

    PRIVACY: ClassVar = {privacy.STAFF: "id revision submission table what before after at by undone"}
    KEPT = "for ever, with its revision"

    class Meta:
        verbose_name = _("change in a draft")
        verbose_name_plural = _("changes in drafts")
        ordering = ["id"]
        indexes = [models.Index(fields=["revision", "-id"], name="change_latest")]

    def __str__(self) -> str:
        return f"{self.what} {self.after}"
