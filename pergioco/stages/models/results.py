"""Entries, results and opening ratings. A closed revision is never edited: a correction is a new
one."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Keep, OnMerge
from pergioco.core.fields import user_key
from pergioco.core.two_person import two_people_constraint
from pergioco.players.models.people import Player
from pergioco.stages.models.calendar import Game, Stage


class Entry(models.Model):
    """A player in a stage."""

    stage = models.ForeignKey(
        Stage, models.PROTECT, related_name="entries", verbose_name=_("stage")
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="entries", verbose_name=_("player")
    )
    withdrew_after_round = models.PositiveSmallIntegerField(
        _("withdrew after round"), null=True, blank=True
    )
    entered_at = models.DateTimeField(_("entered"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id stage player withdrew_after_round entered_at",
        person="player",
        on_erasure=Keep(_("the stages that you entered, under the same number")),
        on_merge={"player": OnMerge.STAY},  # facts are never edited: readers follow `merged_into`
        privacy_rows=(privacy_table.RESULTS,),
    )

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["stage", "id"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "player"], name="player_enters_a_stage_once")
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.player}"


class SourceFile(models.Model):
    """The original bytes of a stage's results, so that they can be read again."""

    stage = models.ForeignKey(
        Stage, models.PROTECT, related_name="source_files", verbose_name=_("stage")
    )
    name = models.CharField(_("name"), max_length=200)
    url = models.URLField(_("address"), max_length=500, blank=True)
    raw = models.BinaryField(_("content"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    reader = models.CharField(_("reader"), max_length=40)
    reader_version = models.PositiveSmallIntegerField(_("version of the reader"))
    read_at = models.DateTimeField(_("read"), auto_now_add=True)
    read_by = user_key(_("by"), blank=False)
    used_at = models.DateTimeField(_("used"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="for ever if it was used; seven days if it was only looked at",
        staff="id stage name url raw sha256 reader reader_version read_at read_by used_at",
        free_text="name",
        typed_text="url",
        coded_text="sha256 reader",
        not_personal="what a platform shows of a whole stage; kept as read, for staff only",
        privacy_rows=(privacy_table.PLATFORM_FILES,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("source file")
        verbose_name_plural = _("source files")
        ordering = ["-read_at", "-id"]

    def __str__(self) -> str:
        return self.name


class Revision(models.Model):
    """One complete version of a stage's results. A closed stage has exactly one current
    revision."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        WAITING = "waiting", _("waiting for a second person")
        CURRENT = "current", _("current")
        SUPERSEDED = "superseded", _("superseded")
        DROPPED = "dropped", _("dropped")

    stage = models.ForeignKey(
        Stage, models.PROTECT, related_name="revisions", verbose_name=_("stage")
    )
    number = models.PositiveSmallIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    reason = models.TextField(_("reason"), blank=True)
    replaces = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("took the place of"),
    )
    made_at = models.DateTimeField(_("begun"), auto_now_add=True)
    made_by = user_key(_("begun by"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = user_key(_("closed by"))
    approved_at = models.DateTimeField(_("approved"), null=True, blank=True)
    approved_by = user_key(_("approved by"))
    sha256 = models.CharField(_("SHA-256 of the facts"), max_length=64, blank=True)
    verified_sha256 = models.CharField(
        _("SHA-256 of the facts typed a second time"), max_length=64, blank=True
    )

    DATA = DataDeclaration(
        retention="for ever",
        public="id stage number state reason replaces made_at closed_at approved_at sha256",
        staff="made_by closed_by approved_by verified_sha256",
        free_text="reason",
        coded_text="sha256 verified_sha256",
        not_personal="versions of a stage; a player's part in it is the seat",
    )

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "number"], name="revision_number_once_a_stage"
            ),
            models.UniqueConstraint(
                fields=["stage"],
                condition=Q(state="current"),
                name="stage_has_one_current_revision",
            ),
            models.UniqueConstraint(
                fields=["stage"],
                condition=Q(state__in=["draft", "waiting"]),
                name="stage_has_one_draft",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "waiting", "current", "superseded", "dropped"]),
                name="revision_state_is_known",
            ),
            two_people_constraint(
                "closed_by", "approved_by", name="revision_is_approved_by_another"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} ({self.number})"


class Round(models.Model):
    """A round of a stage, with its phase if the circuit has phases."""

    revision = models.ForeignKey(
        Revision, models.CASCADE, related_name="rounds", verbose_name=_("revision")
    )
    number = models.PositiveSmallIntegerField(_("number"))
    phase = models.CharField(_("phase"), max_length=20, blank=True)

    DATA = DataDeclaration(
        retention="for ever",
        public="id revision number phase",
        coded_text="phase",
        not_personal="holds tables only",
    )

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["revision", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "number"], name="round_number_once_a_revision"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="rounds_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.revision}.{self.number}"


class Table(models.Model):
    """One play of a game. The version detects that two people edit the same table."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables", verbose_name=_("round"))
    number = models.PositiveSmallIntegerField(_("number"))
    version = models.PositiveIntegerField(_("version"), default=0)
    source = models.ForeignKey(
        SourceFile,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="tables",
        verbose_name=_("read from"),
    )
    source_line = models.PositiveIntegerField(_("line"), null=True, blank=True)
    platform_key = models.CharField(_("id on the platform"), max_length=80, blank=True)

    DATA = DataDeclaration(
        retention="for ever",
        public="id round number version",
        staff="source source_line platform_key",
        coded_text="platform_key",
        not_personal="holds seats only",
    )

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
    """A player's part in one play, with its outcome. A bye is a table of one."""

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
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="seats", verbose_name=_("player")
    )
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

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public=(
            "id table position player outcome kind score bid off_objective objective_made "
            "timed_out played_on"
        ),
        person="player",
        on_erasure=Keep(
            _(
                "the games that you played, under the same number; the files of platforms that "
                "they were read from are kept as read for staff, and hold nicknames as played"
            )
        ),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.RESULTS,),
    )

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["table", "position"]
        constraints = [
            models.UniqueConstraint(fields=["table", "position"], name="seat_once_a_table"),
            models.UniqueConstraint(fields=["table", "player"], name="player_once_a_table"),
            models.CheckConstraint(
                condition=Q(position__gte=1, position__lte=7), name="seats_are_one_to_seven"
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=["", "win", "draw", "loss"]), name="outcome_is_known"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["", "played", "walkover", "no_show", "quit", "bye"]),
                name="seat_kind_is_known",
            ),
            models.CheckConstraint(
                condition=~Q(kind="walkover") | Q(outcome="win"), name="walkover_is_a_win"
            ),
            models.CheckConstraint(
                condition=~Q(kind__in=["no_show", "quit"]) | Q(outcome="loss"),
                name="absence_is_a_loss",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}.{self.position}"


class Change(models.Model):
    """One edit of a draft with the values before and after; undo restores the values before."""

    revision = models.ForeignKey(
        Revision, models.CASCADE, related_name="changes", verbose_name=_("revision")
    )
    submission = models.UUIDField(_("submission"), unique=True)
    table = models.ForeignKey(
        Table,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="changes",
        verbose_name=_("table"),
    )
    what = models.CharField(_("what"), max_length=20)
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = user_key(_("by"), blank=False)
    undone = models.BooleanField(_("undone"), default=False)

    DATA = DataDeclaration(
        retention="for ever, with its revision",
        staff="id revision submission table what before after at by undone",
        coded_text="what before after",
        not_personal="an organizer's work on a draft",
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("change in a draft")
        verbose_name_plural = _("changes in drafts")
        ordering = ["id"]
        indexes = [models.Index(fields=["revision", "-id"], name="change_latest")]

    def __str__(self) -> str:
        return f"{self.what} {self.after}"


class OpeningRating(models.Model):
    """A PGR earned before the first stage on file. Only the date of the last game is known."""

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="opening_ratings", verbose_name=_("player")
    )
    game = models.ForeignKey(
        Game, models.PROTECT, related_name="opening_ratings", verbose_name=_("game")
    )
    pgr = models.DecimalField(_("PGR"), max_digits=9, decimal_places=3)
    games = models.PositiveIntegerField(_("games"), default=0)
    last_played_on = models.DateField(_("last played on"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id player game pgr games last_played_on",
        person="player",
        on_erasure=Keep(_("the PGRs from before the first stage on file, under the same number")),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.RESULTS,),
    )

    class Meta:
        verbose_name = _("opening rating")
        verbose_name_plural = _("opening ratings")
        ordering = ["player", "game"]
        constraints = [
            models.UniqueConstraint(fields=["player", "game"], name="one_opening_rating_a_game"),
            models.CheckConstraint(condition=Q(pgr__gt=0), name="opening_rating_is_positive"),
        ]

    def clean(self) -> None:
        # The same check as in a bundle: games from before the first stage were not played after it.
        super().clean()
        seats = Seat.objects.filter(
            player=self.player_id, table__round__revision__state=Revision.State.CURRENT
        )
        stages = Stage.objects.filter(
            game=self.game_id, pk__in=seats.values("table__round__revision__stage")
        )
        first = stages.order_by("ends_on").values_list("ends_on", flat=True).first()
        if self.last_played_on and first and self.last_played_on > first:
            sentence = _("The first stage of this game with this player ended before, on %(day)s.")
            raise ValidationError({"last_played_on": sentence % {"day": date_format(first)}})

    def __str__(self) -> str:
        return f"{self.player} {self.game} {self.pgr}"
