"""Computations, publications, errata, final years, and the history of ratings."""

from decimal import Decimal

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import AppendOnly, DataDeclaration, Keep, OnMerge
from pergioco.core.fields import user_key
from pergioco.core.two_person import two_people_constraint
from pergioco.players.models import Player
from pergioco.rulekit.numbers import to_points
from pergioco.stages.games import Bytewise
from pergioco.stages.models import Game, Revision, Season, Stage


class Computation(models.Model):
    """One computation: a stage's ratings (kind “pgr”), or one whole ranking (“red”, “game:go”,
    “race”, …)."""

    kind = models.CharField(_("kind"), max_length=80)
    season = models.ForeignKey(
        Season, models.PROTECT, related_name="computations", verbose_name=_("season")
    )
    stage = models.ForeignKey(
        Stage,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="computations",
        verbose_name=_("stage"),
    )
    revision = models.ForeignKey(
        Revision,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="computations",
        verbose_name=_("revision"),
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

    DATA = DataDeclaration(
        retention="as long as a publication shows it; those of ratings for ever",
        public=(
            "id kind season stage revision edition settings read sha256 cause supersedes made_at"
        ),
        coded_text="kind settings read sha256 cause",
        not_personal=(
            "what was computed from a stage or for a season; a player's part in it is a change or "
            "a line"
        ),
    )

    class Meta:
        verbose_name = _("computation")
        verbose_name_plural = _("computations")
        ordering = ["id"]
        indexes = [
            models.Index(fields=["kind", "season", "sha256"], name="computation_same_content")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.season_id} {self.sha256[:8]}"


class Line(models.Model):
    """A player's place in one ranking, with the intermediates of the rule."""

    computation = models.ForeignKey(
        Computation, models.CASCADE, related_name="lines", verbose_name=_("computation")
    )
    position = models.PositiveIntegerField(_("order"))
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="lines", verbose_name=_("player")
    )
    rank = models.PositiveIntegerField(_("place"))
    is_shared = models.BooleanField(_("shared"), default=False)
    value = models.DecimalField(_("value"), max_digits=12, decimal_places=3)
    decided_by = models.CharField(_("decided by"), max_length=20, blank=True)
    detail = models.JSONField(_("detail"), default=dict, blank=True)

    DATA = DataDeclaration(
        retention="as long as a publication shows it: it names nobody",
        public="id computation position player rank is_shared value decided_by detail",
        coded_text="decided_by detail",
        person="player",
        on_erasure=Keep(
            _("your places in the rankings that were published, under the same number")
        ),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.RESULTS,),
    )

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
    """All rankings of a season as one version. Publishing makes a new one current."""

    season = models.ForeignKey(
        Season, models.PROTECT, related_name="publications", verbose_name=_("season")
    )
    number = models.PositiveIntegerField(_("version"))
    as_of = models.DateField(_("as of"))
    is_current = models.BooleanField(_("current"), default=False)
    before = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("the version before"),
    )
    cause = models.CharField(_("caused by"), max_length=40)
    revision = models.ForeignKey(
        Revision,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="publications",
        verbose_name=_("revision"),
    )
    published_at = models.DateTimeField(_("published"))
    published_by = user_key(_("by"))
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    withdrawn_by = user_key(_("withdrawn by"))
    computations = models.ManyToManyField(Computation, through="Shown", related_name="publications")
    # Id of a stage of the season -> id of the computation of its PGR changes in force
    ratings = models.JSONField(_("PGR computations"), default=dict, blank=True)

    DATA = DataDeclaration(
        retention="the latest, the one before and one a month; those of a year's end for ever",
        public=(
            "id season number as_of is_current before cause revision published_at withdrawn_at "
            "computations ratings"
        ),
        staff="published_by withdrawn_by",
        coded_text="cause ratings",
        not_personal="a version of all rankings; a player's part in it is a line",
    )

    class Meta:
        verbose_name = _("publication")
        verbose_name_plural = _("publications")
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "number"], name="publication_number_once_a_season"
            ),
            models.UniqueConstraint(
                fields=["season"],
                condition=Q(is_current=True),
                name="season_has_one_current_publication",
            ),
            models.CheckConstraint(
                condition=Q(is_current=False) | Q(withdrawn_at=None),
                name="withdrawn_publication_is_not_current",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season} · {self.number}"


class Shown(models.Model):
    """One ranking in a publication. An unchanged ranking is linked again, not copied."""

    publication = models.ForeignKey(
        Publication, models.CASCADE, related_name="shown", verbose_name=_("publication")
    )
    computation = models.ForeignKey(
        Computation, models.PROTECT, related_name="shown", verbose_name=_("computation")
    )
    kind = models.CharField(_("kind"), max_length=80)

    DATA = DataDeclaration(
        retention="with its publication",
        public="id publication computation kind",
        coded_text="kind",
        not_personal="which rankings a publication holds",
    )

    class Meta:
        verbose_name = _("ranking of a publication")
        verbose_name_plural = _("rankings of publications")
        constraints = [
            models.UniqueConstraint(
                fields=["publication", "kind"], name="ranking_once_a_publication"
            )
        ]

    def __str__(self) -> str:
        return f"{self.publication}: {self.kind}"


class Erratum(models.Model):
    """What a correction changed in published numbers. Never edited; one for each decision and
    season."""

    season = models.ForeignKey(
        Season, models.PROTECT, related_name="errata", verbose_name=_("season")
    )
    against = models.ForeignKey(
        Publication, models.SET_NULL, null=True, related_name="+", verbose_name=_("what was public")
    )
    publication = models.ForeignKey(
        Publication,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="errata",
        verbose_name=_("publication"),
    )
    is_against_final = models.BooleanField(_("against final rankings"), default=False)
    revision = models.ForeignKey(
        Revision,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="errata",
        verbose_name=_("revision"),
    )
    cause = models.CharField(_("caused by"), max_length=40)
    reason = models.TextField(_("reason"), blank=True)
    decided_by = user_key(_("decided by"))
    approved_by = user_key(_("approved by"))
    changes = models.JSONField(_("what changed"), default=dict)
    # key of the row that records it
    decision = models.CharField(_("decision"), max_length=60, blank=True)
    made_at = models.DateTimeField(_("when"), auto_now_add=True)
    told_at = models.DateTimeField(_("when those concerned were written to"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public=(
            "id season against publication is_against_final revision cause reason changes decision "
            "made_at told_at"
        ),
        staff="decided_by approved_by",
        free_text="reason decision",
        coded_text="cause changes",
        not_personal="what a correction changed, under numbers; who decided it was on duty",
        append_only=AppendOnly(written_once="told_at"),
    )

    class Meta:
        verbose_name = _("erratum")
        verbose_name_plural = _("errata")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "decision"],
                condition=~Q(decision=""),
                name="decision_has_one_erratum_a_season",
            )
        ]

    def __str__(self) -> str:
        return f"{self.season} {self.made_at:%Y-%m-%d}"


class Freeze(models.Model):
    """The final rankings of a year (PGM 31, 34, 37): the published text and its hash."""

    season = models.OneToOneField(
        Season, models.PROTECT, related_name="freeze", verbose_name=_("season")
    )
    publication = models.ForeignKey(
        Publication,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("publication"),
    )
    document = models.TextField(_("the frozen rankings"), blank=True)
    sha256 = models.CharField(_("SHA-256"), max_length=64, blank=True)
    proposed_by = user_key(_("proposed by"), blank=False)
    proposed_at = models.DateTimeField(_("proposed"), auto_now_add=True)
    frozen_by = user_key(_("frozen by"))
    frozen_at = models.DateTimeField(_("frozen"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public="id season publication document sha256 frozen_at",
        staff="proposed_by proposed_at frozen_by",
        coded_text="document sha256",
        not_personal="the final rankings of a year, under numbers; who made them final was on duty",
    )

    class Meta:
        verbose_name = _("final rankings of a year")
        verbose_name_plural = _("final rankings of the years")
        ordering = ["-season"]
        constraints = [
            two_people_constraint(
                "proposed_by", "frozen_by", name="freeze_is_confirmed_by_another"
            ),
            models.CheckConstraint(
                condition=Q(frozen_at=None) | Q(publication__isnull=False) & ~Q(sha256=""),
                name="frozen_is_complete",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season} {self.sha256[:8]}"


class Statement(models.Model):
    """What the nightly check of all numbers found: signed, numbered without a gap, never
    changed."""

    number = models.PositiveIntegerField(_("number"), unique=True)
    at = models.DateTimeField(_("when"))
    computations = models.PositiveIntegerField(_("computations"))
    differences = models.PositiveIntegerField(_("differences"))
    sha256 = models.CharField(_("SHA-256 of all numbers"), max_length=64)
    # The text that is signed, with all of the above and the SHA-256 of the text before it
    document = models.TextField(_("the signed text"))
    signature = models.BinaryField(_("signature (Ed25519)"))
    public_key = models.TextField(_("public key"))

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        public=("id number at computations differences sha256 document signature public_key"),
        coded_text="sha256 document public_key",
        append_only=AppendOnly(sentence="Statements are never changed."),
        on_public_pages=False,  # their page is made for each visit: it says how old the last one is
    )

    class Meta:
        verbose_name = _("statement about the numbers")
        verbose_name_plural = _("statements about the numbers")
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"{self.number} {self.sha256[:8]}"


class PgrChangeQuerySet(models.QuerySet["PgrChange"]):
    def current(self) -> "PgrChangeQuerySet":
        # A stage computed again with another outcome keeps its old rows.
        return self.filter(is_current=True)

    def in_order(self) -> "PgrChangeQuerySet":
        return self.order_by("ended_on", Bytewise("stage__slug"), "player_id")


class PgrChange(models.Model):
    """A player's rating in one game before and after one stage, in thousandths, with every
    intermediate."""

    computation = models.ForeignKey(
        Computation, models.PROTECT, related_name="pgr_changes", verbose_name=_("computation")
    )
    stage = models.ForeignKey(
        Stage, models.PROTECT, related_name="pgr_changes", verbose_name=_("stage")
    )
    game = models.ForeignKey(
        Game, models.PROTECT, related_name="pgr_changes", verbose_name=_("game")
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="pgr_changes", verbose_name=_("player")
    )
    ended_on = models.DateField(_("last day of the stage"))
    before = models.IntegerField(_("before"))
    half_points = models.PositiveSmallIntegerField(_("half points scored"))
    expected = models.DecimalField(_("expected"), max_digits=9, decimal_places=6)
    rated_games = models.PositiveSmallIntegerField(_("games that count"))
    valid_games = models.PositiveSmallIntegerField(_("valid games"))
    k = models.PositiveSmallIntegerField(_("K"))
    after = models.IntegerField(_("after"))
    is_first = models.BooleanField(_("first rating"), default=False)
    last_valid_on = models.DateField(_("last valid game"), null=True)
    games = models.TextField(_("games"))
    is_current = models.BooleanField(_("in force"), default=True)

    objects = PgrChangeQuerySet.as_manager()

    DATA = DataDeclaration(
        retention=(
            "for ever: it names nobody; those of unregistered players until the purge (PGM 28)"
        ),
        public=(
            "id computation stage game player ended_on before half_points expected "
            "rated_games valid_games k after is_first last_valid_on games is_current"
        ),
        coded_text="games",
        person="player",
        on_erasure=Keep(_("your ratings, stage by stage, under the same number")),
        on_merge={"player": OnMerge.STAY},  # computed again after a merge
        privacy_rows=(privacy_table.RESULTS,),
    )

    class Meta:
        verbose_name = _("PGR change")
        verbose_name_plural = _("PGR changes")
        ordering = ["ended_on", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "player"],
                condition=Q(is_current=True),
                name="one_pgr_change_a_stage_in_force",
            ),
        ]
        indexes = [
            models.Index(
                fields=["game", "player", "ended_on"],
                condition=Q(is_current=True),
                name="pgr_of_a_player",
            ),
            models.Index(fields=["ended_on"], condition=Q(is_current=True), name="pgr_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.player} {self.before} → {self.after}"

    @property
    def scored(self) -> Decimal:
        return Decimal(self.half_points) / 2

    @property
    def moved(self) -> Decimal:
        return to_points(self.after - self.before)
