"""A Master's draws, presences, clock and referee decisions. All but presences are only
added."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import AppendOnly, DataDeclaration, Keep
from pergioco.core.fields import user_key
from pergioco.stages.models import Entry, Stage

NEVER_CHANGED = AppendOnly(sentence="Draws are never changed.")


class Commitment(models.Model):
    """The published hash of a secret seed. A repeated draw has its own commitment, with a
    reason."""

    class Number(models.IntegerChoices):
        FIRST = 1, _("first game")
        SECOND = 2, _("second game")
        SEMIFINALS = 3, _("semifinals")

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="draws", verbose_name=_("stage"))
    number = models.PositiveSmallIntegerField(_("draw"), choices=Number.choices)
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=1)
    algorithm = models.CharField(_("algorithm"), max_length=20)
    seed = models.CharField(_("seed"), max_length=64)
    seed_sha256 = models.CharField(_("SHA-256 of the seed"), max_length=64)
    at = models.DateTimeField(_("published"), auto_now_add=True)
    by = user_key(_("by"), blank=False)
    reason = models.TextField(_("why it is drawn again"), blank=True)
    supersedes = models.OneToOneField(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="superseded_by",
        verbose_name=_("instead of"),
    )

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id stage number attempt algorithm seed_sha256 at reason supersedes",
        staff="by",
        hidden="seed",  # until the draw reveals its own copy
        free_text="reason",
        coded_text="algorithm seed_sha256",
        not_personal="the promise of a draw, under numbers; who made it was on duty",
        append_only=NEVER_CHANGED,
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("promised draw")
        verbose_name_plural = _("promised draws")
        ordering = ["stage", "number", "attempt"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "number", "attempt"], name="draw_attempt_once"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=3), name="draw_number_is_known"
            ),
            models.CheckConstraint(
                condition=Q(attempt=1, supersedes=None, reason="")
                | Q(attempt__gte=2, supersedes__isnull=False) & ~Q(reason=""),
                name="draw_is_repeated_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.get_number_display()}"

    def get_absolute_url(self) -> str:
        return reverse("risiko-draw", args=[self.stage.slug, self.number])


class Draw(models.Model):
    """The revealed seed, the inputs and the tables, as the exact texts that were hashed."""

    commitment = models.OneToOneField(
        Commitment, models.PROTECT, related_name="draw", verbose_name=_("promised draw")
    )
    seed = models.CharField(_("seed"), max_length=64)
    inputs = models.TextField(_("drawn from"))
    inputs_sha256 = models.CharField(_("SHA-256 of what it was drawn from"), max_length=64)
    result = models.TextField(_("tables"))
    result_sha256 = models.CharField(_("SHA-256 of the tables"), max_length=64)
    at = models.DateTimeField(_("drawn"), auto_now_add=True)
    by = user_key(_("by"), blank=False)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id commitment seed inputs inputs_sha256 result result_sha256 at",
        staff="by",
        coded_text="seed inputs inputs_sha256 result result_sha256",
        not_personal="tables under numbers; a player's part in them is the seat",
        append_only=NEVER_CHANGED,
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("draw")
        verbose_name_plural = _("draws")
        ordering = ["commitment"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(inputs="") & ~Q(result=""),
                name="draw_is_written_whole",
            )
        ]

    def __str__(self) -> str:
        return str(self.commitment)


class Presence(models.Model):
    """A player checked in on the day, at the desk or by phone."""

    entry = models.OneToOneField(
        Entry, models.CASCADE, related_name="presence", verbose_name=_("entry")
    )
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = user_key(_("by"), blank=False)

    DATA = DataDeclaration(
        retention="for ever, with its entry: it names nobody",
        staff="id entry at by",
        person="entry__player",
        on_erasure=Keep(_("that you were there on the day of a Master, under the same number")),
        privacy_rows=(privacy_table.RESULTS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")
        ordering = ["entry"]

    def __str__(self) -> str:
        return str(self.entry)


class ClockPress(models.Model):
    """A button of a game's clock, pressed at a moment of the server's time."""

    class What(models.TextChoices):
        START = "start", _("time starts")
        PAUSE = "pause", _("time stops")
        RESUME = "resume", _("time goes on")
        END = "end", _("game over")

    stage = models.ForeignKey(
        Stage, models.PROTECT, related_name="clock_presses", verbose_name=_("stage")
    )
    game = models.PositiveSmallIntegerField(_("game"))
    what = models.CharField(_("what"), max_length=6, choices=What.choices)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    reason = models.TextField(_("reason"), blank=True)
    by = user_key(_("by"), blank=False)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id stage game what at",
        staff="reason by",
        free_text="reason",
        not_personal="the clock of a game; who pressed it was on duty",
        append_only=AppendOnly(sentence="The clock is never turned back."),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("press of the clock")
        verbose_name_plural = _("presses of the clock")
        ordering = ["id"]
        indexes = [models.Index(fields=["stage", "game", "id"], name="clock_of_a_game")]
        constraints = [
            models.CheckConstraint(
                condition=Q(what__in=["start", "pause", "resume", "end"]),
                name="clock_press_is_known",
            ),
            models.CheckConstraint(
                condition=~Q(what="pause") | ~Q(reason=""), name="clock_stops_with_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.game}: {self.what}"


class RefereeDecision(models.Model):
    """The referee's choice where the regulation leaves one. The last one counts."""

    stage = models.ForeignKey(
        Stage, models.PROTECT, related_name="referee_decisions", verbose_name=_("stage")
    )
    direct = models.PositiveSmallIntegerField(_("straight to the final"))
    semifinals = models.PositiveSmallIntegerField(_("semifinals"))
    reason = models.TextField(_("reason"))
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = user_key(_("by"), blank=False)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id stage direct semifinals reason at",
        staff="by",
        free_text="reason",
        not_personal="how many semifinals are played; who decided was on duty",
        append_only=AppendOnly(
            sentence="A decision of the referee is followed by another one, never changed."
        ),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("decision of the referee")
        verbose_name_plural = _("decisions of the referee")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(direct__gte=0, semifinals__gte=0, direct__lte=4, semifinals__lte=4),
                name="referee_fills_one_final",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="referee_gives_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.direct}, {self.semifinals}"
