"""The history of the ratings, stage by stage. A typed table of its own: these numbers are inputs too."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pergioco.ledger.models.book import Computation
from pergioco.players import privacy
from pergioco.players.models import Player
from pergioco.stages.models import Game, Stage
from pergioco.stages.order import Bytewise


class PgrChangeQuerySet(models.QuerySet["PgrChange"]):
    def current(self) -> "PgrChangeQuerySet":
        """Those in force: a stage that is computed again with another outcome leaves its old rows behind."""
        return self.filter(is_current=True)

    def in_order(self) -> "PgrChangeQuerySet":
        """As the stages of a game follow each other: last day, then slug (PG-1)."""
        return self.order_by("ended_on", Bytewise("stage__slug"), "player_id")


class PgrChange(models.Model):
    """A player's rating in one game before and after one stage, with every intermediate. Ratings are thousandths."""

    computation = models.ForeignKey(
        Computation, models.PROTECT, related_name="pgr_changes", verbose_name=_("computation")
    )
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="pgr_changes", verbose_name=_("stage"))
    game = models.ForeignKey(Game, models.PROTECT, related_name="pgr_changes", verbose_name=_("game"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="pgr_changes", verbose_name=_("player"))
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

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id computation stage game player ended_on before half_points expected rated_games "
        "valid_games k after is_first last_valid_on games is_current",
    }
    KEPT = "for ever: it names nobody; those of unregistered players until the purge (PGM 28)"

    class Meta:
        verbose_name = _("PGR change")
        verbose_name_plural = _("PGR changes")
        ordering = ["ended_on", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "player"], condition=Q(is_current=True), name="one_pgr_change_a_stage_in_force"
            ),
        ]
        indexes = [
            models.Index(fields=["game", "player", "ended_on"], condition=Q(is_current=True), name="pgr_of_a_player"),
            models.Index(fields=["ended_on"], condition=Q(is_current=True), name="pgr_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.player} {self.before} → {self.after}"
