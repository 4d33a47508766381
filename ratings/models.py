"""The purge of New Year's Day (PGM 28), and what stays of the ratings that it destroys."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy
from pergioco.players.models import Player
from pergioco.stages.models import Stage


class Purge(models.Model):
    """The purge of one New Year's Day (PGM 28): listed, confirmed by a second person, destroyed after thirty days."""

    year = models.PositiveSmallIntegerField(_("year"), unique=True)
    listed = models.JSONField(_("whom it concerns"), default=list)  # public ids, in order
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("proposed by")
    )
    proposed_at = models.DateTimeField(_("proposed"), auto_now_add=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("confirmed by"),
    )
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    destroyed_at = models.DateTimeField(_("destroyed"), null=True, blank=True)

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "id year confirmed_at destroyed_at",
        privacy.STAFF: "listed proposed_by proposed_at confirmed_by",
    }
    KEPT = "for ever"

    class Meta:
        verbose_name = _("purge")
        verbose_name_plural = _("purges")
        ordering = ["-year"]
        constraints = [
            models.CheckConstraint(
                condition=Q(confirmed_by=None) | ~Q(confirmed_by=F("proposed_by")), name="purge_is_confirmed_by_another"
            ),
            models.CheckConstraint(
                condition=Q(destroyed_at=None) | Q(confirmed_at__isnull=False),
                name="purge_is_confirmed_before_it_destroys",
            ),
        ]

    def __str__(self) -> str:
        return str(self.year)


class Purged(models.Model):
    """What stays of a purged player in one stage: the rating before it, which the opponents' numbers were made from."""

    purge = models.ForeignKey(Purge, models.PROTECT, related_name="purged", verbose_name=_("purge"))
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="+", verbose_name=_("stage"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="purged", verbose_name=_("player"))
    before = models.IntegerField(_("before"))

    PRIVACY: ClassVar = {privacy.STAFF: "id purge stage player before"}
    KEPT = "for ever: it names nobody"

    class Meta:
        verbose_name = _("purged rating")
        verbose_name_plural = _("purged ratings")
        ordering = ["purge", "stage", "player"]
        constraints = [models.UniqueConstraint(fields=["stage", "player"], name="rating_is_purged_once")]

    def __str__(self) -> str:
        return f"{self.stage} {self.player}"
