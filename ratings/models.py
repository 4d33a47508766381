"""The purge of 1 January (PGM 28), and what remains of the destroyed ratings."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import AppendOnly, DataDeclaration, Keep, OnMerge
from pergioco.core.fields import user_key
from pergioco.core.two_person import two_people_constraint
from pergioco.players.models import Player
from pergioco.stages.models import Stage


class Purge(models.Model):
    """The purge of one 1 January (PGM 28): listed, confirmed by a second person, destroyed after
    thirty days."""

    year = models.PositiveSmallIntegerField(_("year"), unique=True)
    listed = models.JSONField(_("whom it concerns"), default=list)  # public ids, in order
    proposed_by = user_key(_("proposed by"), blank=False)
    proposed_at = models.DateTimeField(_("proposed"), auto_now_add=True)
    confirmed_by = user_key(_("confirmed by"))
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    destroyed_at = models.DateTimeField(_("destroyed"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="for ever",
        public="id year confirmed_at destroyed_at",
        staff="listed proposed_by proposed_at confirmed_by",
        coded_text="listed",
        not_personal="a list of numbers; who proposed and confirmed it was on duty",
    )

    class Meta:
        verbose_name = _("purge")
        verbose_name_plural = _("purges")
        ordering = ["-year"]
        constraints = [
            two_people_constraint(
                "proposed_by", "confirmed_by", name="purge_is_confirmed_by_another"
            ),
            models.CheckConstraint(
                condition=Q(destroyed_at=None) | Q(confirmed_at__isnull=False),
                name="purge_is_confirmed_before_it_destroys",
            ),
        ]

    def __str__(self) -> str:
        return str(self.year)


class Purged(models.Model):
    """A purged player's rating before one stage: the opponents' numbers were computed from it."""

    purge = models.ForeignKey(Purge, models.PROTECT, related_name="purged", verbose_name=_("purge"))
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="+", verbose_name=_("stage"))
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="purged", verbose_name=_("player")
    )
    before = models.IntegerField(_("before"))

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        staff="id purge stage player before",
        person="player",
        on_erasure=Keep(
            _("what the ratings of your opponents were computed from, under the same number")
        ),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.RESULTS,),
        append_only=AppendOnly(),
    )

    class Meta:
        verbose_name = _("purged rating")
        verbose_name_plural = _("purged ratings")
        ordering = ["purge", "stage", "player"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "player"], name="rating_is_purged_once")
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.player}"
