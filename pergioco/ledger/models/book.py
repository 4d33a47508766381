"""What was computed, line by line, and which of it the public sees. Written once, never edited."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy
from pergioco.players.models import Player
from pergioco.stages.models import Revision, Season, Stage


class Computation(models.Model):
    """One act of computing: a stage's ratings (kind “pgr”), or one whole ranking (“red”, “game:go”, “race”…)."""

    kind = models.CharField(_("kind"), max_length=80)
    season = models.ForeignKey(Season, models.PROTECT, related_name="computations", verbose_name=_("season"))
    stage = models.ForeignKey(
        Stage, models.PROTECT, null=True, blank=True, related_name="computations", verbose_name=_("stage")
    )
    revision = models.ForeignKey(
        Revision, models.PROTECT, null=True, blank=True, related_name="computations", verbose_name=_("revision")
    )
    edition = models.PositiveSmallIntegerField(_("edition of the rules"))
    settings = models.JSONField(_("settings in force"), default=dict, blank=True)
    read = models.JSONField(_("what it read"), default=dict, blank=True)
    sha256 = models.CharField(_("SHA-256 of what came out"), max_length=64)
    cause = models.CharField(_("caused by"), max_length=40)
    supersedes = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="superseded_by",
        verbose_name=_("takes the place of"),
    )
    made_at = models.DateTimeField(_("computed"), auto_now_add=True)

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id kind season stage revision edition settings read sha256 cause supersedes made_at"
    }
    KEPT = "as long as a publication shows it; those of ratings for ever"

    class Meta:
        verbose_name = _("computation")
        verbose_name_plural = _("computations")
        ordering = ["id"]
        indexes = [models.Index(fields=["kind", "season", "sha256"], name="computation_same_content")]

    def __str__(self) -> str:
        return f"{self.kind} {self.season_id} {self.sha256[:8]}"


class Line(models.Model):
    """A player's place in one computed ranking, with all that the rule worked out on the way."""

    computation = models.ForeignKey(Computation, models.CASCADE, related_name="lines", verbose_name=_("computation"))
    position = models.PositiveIntegerField(_("order"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="lines", verbose_name=_("player"))
    rank = models.PositiveIntegerField(_("place"))
    is_shared = models.BooleanField(_("shared"), default=False)
    value = models.DecimalField(_("value"), max_digits=12, decimal_places=3)
    decided_by = models.CharField(_("decided by"), max_length=20, blank=True)
    detail = models.JSONField(_("detail"), default=dict, blank=True)

    PRIVACY: ClassVar = {privacy.PUBLIC: "id computation position player rank is_shared value decided_by detail"}
    KEPT = "as long as a publication shows it: it names nobody"

    class Meta:
        verbose_name = _("line of a ranking")
        verbose_name_plural = _("lines of rankings")
        ordering = ["computation", "position"]
        constraints = [
            models.UniqueConstraint(fields=["computation", "position"], name="line_position_once"),
            models.UniqueConstraint(fields=["computation", "player"], name="line_player_once"),
            models.CheckConstraint(condition=Q(rank__gte=1), name="ranks_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.player} {self.value}"


class Publication(models.Model):
    """All rankings of a season as one version. The public sees the one that is current: publishing moves that mark."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="publications", verbose_name=_("season"))
    number = models.PositiveIntegerField(_("version"))
    as_of = models.DateField(_("as of"))
    is_current = models.BooleanField(_("current"), default=False)
    before = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("the version before")
    )
    cause = models.CharField(_("caused by"), max_length=40)
    revision = models.ForeignKey(
        Revision, models.PROTECT, null=True, blank=True, related_name="publications", verbose_name=_("revision")
    )
    published_at = models.DateTimeField(_("published"))
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("withdrawn by"),
    )
    computations = models.ManyToManyField(Computation, through="Shown", related_name="publications")
    # Id of a stage of the season -> id of the computation of its PGR changes in force
    ratings = models.JSONField(_("PGR computations"), default=dict, blank=True)

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id season number as_of is_current before cause revision published_at withdrawn_at "
        "computations ratings",
        privacy.STAFF: "published_by withdrawn_by",
    }
    KEPT = "the latest, the one before and one a month; those of a year's end for ever"

    class Meta:
        verbose_name = _("publication")
        verbose_name_plural = _("publications")
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="publication_number_once_a_season"),
            models.UniqueConstraint(
                fields=["season"], condition=Q(is_current=True), name="season_has_one_current_publication"
            ),
            models.CheckConstraint(
                condition=Q(is_current=False) | Q(withdrawn_at=None), name="withdrawn_publication_is_not_current"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season} · {self.number}"


class Shown(models.Model):
    """One ranking in a publication. What did not change is shown again, not written again."""

    publication = models.ForeignKey(Publication, models.CASCADE, related_name="shown", verbose_name=_("publication"))
    computation = models.ForeignKey(Computation, models.PROTECT, related_name="shown", verbose_name=_("computation"))
    kind = models.CharField(_("kind"), max_length=80)

    PRIVACY: ClassVar = {privacy.PUBLIC: "id publication computation kind"}
    KEPT = "with its publication"

    class Meta:
        verbose_name = _("ranking of a publication")
        verbose_name_plural = _("rankings of publications")
        constraints = [models.UniqueConstraint(fields=["publication", "kind"], name="ranking_once_a_publication")]

    def __str__(self) -> str:
        return f"{self.publication}: {self.kind}"


class Erratum(models.Model):
    """What a correction changed of numbers that were public. Never edited; each decision has one a season."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="errata", verbose_name=_("season"))
    against = models.ForeignKey(
        Publication, models.SET_NULL, null=True, related_name="+", verbose_name=_("what was public")
    )
    publication = models.ForeignKey(
        Publication, models.SET_NULL, null=True, blank=True, related_name="errata", verbose_name=_("publication")
    )
    is_against_final = models.BooleanField(_("against final rankings"), default=False)
    revision = models.ForeignKey(
        Revision, models.PROTECT, null=True, blank=True, related_name="errata", verbose_name=_("revision")
    )
    cause = models.CharField(_("caused by"), max_length=40)
    reason = models.TextField(_("reason"), blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("decided by")
    )
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("approved by"),
    )
    changes = models.JSONField(_("what changed"), default=dict)
    decision = models.CharField(_("decision"), max_length=60, blank=True)  # the row that it stands in
    made_at = models.DateTimeField(_("when"), auto_now_add=True)
    told_at = models.DateTimeField(_("when those concerned were written to"), null=True, blank=True)

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id season against publication is_against_final revision cause reason changes decision "
        "made_at told_at",
        privacy.STAFF: "decided_by approved_by",
    }
    KEPT = "for ever: it names nobody"

    class Meta:
        verbose_name = _("erratum")
        verbose_name_plural = _("errata")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "decision"], condition=~Q(decision=""), name="decision_has_one_erratum_a_season"
            )
        ]

    def __str__(self) -> str:
        return f"{self.season} {self.made_at:%Y-%m-%d}"


class Freeze(models.Model):
    """The final rankings of a year (PGM 31, 34, 37): the very text that was published, and its hash."""

    season = models.OneToOneField(Season, models.PROTECT, related_name="freeze", verbose_name=_("season"))
    publication = models.ForeignKey(
        Publication, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("publication")
    )
    document = models.TextField(_("the frozen rankings"), blank=True)
    sha256 = models.CharField(_("SHA-256"), max_length=64, blank=True)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("proposed by")
    )
    proposed_at = models.DateTimeField(_("proposed"), auto_now_add=True)
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("frozen by")
    )
    frozen_at = models.DateTimeField(_("frozen"), null=True, blank=True)

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id season publication document sha256 frozen_at",
        privacy.STAFF: "proposed_by proposed_at frozen_by",
    }
    KEPT = "for ever: it names nobody"

    class Meta:
        verbose_name = _("final rankings of a year")
        verbose_name_plural = _("final rankings of the years")
        ordering = ["-season"]
        constraints = [
            models.CheckConstraint(
                condition=Q(frozen_by=None) | ~Q(frozen_by=F("proposed_by")), name="freeze_is_confirmed_by_another"
            ),
            models.CheckConstraint(
                condition=Q(frozen_at=None) | Q(publication__isnull=False) & ~Q(sha256=""), name="frozen_is_complete"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season} {self.sha256[:8]}"
