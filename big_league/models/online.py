"""Payments for online tournaments, recorded only: the portal moves no money."""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Keep, OnMerge
from pergioco.core.fields import user_key
from pergioco.players.models import Player
from pergioco.stages.models import Stage


class OnlineTournament(models.Model):
    """An online tournament of BIG, with prizes from the entry fees."""

    stage = models.OneToOneField(
        Stage, models.PROTECT, related_name="big_online", verbose_name=_("stage")
    )
    fee = models.PositiveIntegerField(_("price of an entry, in cents"))
    shop = models.URLField(_("where entries are bought"), blank=True)
    voucher_player = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("who gets the voucher"),
    )
    voucher_reason = models.CharField(_("why"), max_length=200, blank=True)

    DATA = DataDeclaration(
        retention="for ever",
        public="id stage fee shop voucher_player voucher_reason",
        free_text="voucher_reason",
        typed_text="shop",
        person="voucher_player",
        on_erasure=Keep(
            _("the online tournaments whose voucher was yours, under the same number"),
            blank="voucher_reason",
        ),
        on_merge={"voucher_player": OnMerge.STAY},
        privacy_rows=(privacy_table.RESULTS,),
    )

    class Meta:
        verbose_name = _("online tournament of BIG")
        verbose_name_plural = _("online tournaments of BIG")
        ordering = ["-stage"]

    def __str__(self) -> str:
        return str(self.stage)

    def get_absolute_url(self) -> str:
        return reverse("big-prizes", args=[self.stage.slug])


class OnlineEntry(models.Model):
    """Paid or free: both count for the rankings, only paid entries play for prizes."""

    tournament = models.ForeignKey(
        OnlineTournament,
        models.PROTECT,
        related_name="entries",
        verbose_name=_("online tournament of BIG"),
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="online_entries", verbose_name=_("player")
    )
    paid = models.PositiveIntegerField(_("paid, in cents"), default=0)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = user_key(_("by"), blank=False)

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        staff="id tournament player paid at by",
        person="player",
        on_erasure=Keep(_("what you paid for online tournaments, under the same number")),
        on_merge={"player": OnMerge.STAY},
        privacy_rows=(privacy_table.RESULTS,),
    )

    class Meta:
        verbose_name = _("entry of an online tournament")
        verbose_name_plural = _("entries of online tournaments")
        ordering = ["tournament", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="online_entry_once"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.player}"
