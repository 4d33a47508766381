"""Steps sent by a table itself; never changed or deleted."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pergioco.core.data import AppendOnly, DataDeclaration
from pergioco.core.fields import user_key
from pergioco.stages.models.calendar import Stage


class TableStep(models.Model):
    """One step at a table: a bid, a turn of the clock, scores, a confirmation, a call for the
    referee.

    It names stage, round and table by their numbers: a replaced draft has new rows for the same
    table."""

    class Kind(models.TextChoices):
        SENT = "sent", _("scores sent")
        CONFIRMED = "confirmed", _("confirmed by a player")
        DISPUTED = "disputed", _("referee called")
        SUSPENDED = "suspended", _("table suspended")
        SETTLED = "settled", _("settled by the referee")
        AUCTION = "auction", _("auction begun")
        BID = "bid", _("bid")
        TAKEN_BACK = "taken_back", _("last step taken back")
        CLOCK = "clock", _("clock set up")
        TURN = "turn", _("clock handed over")

    stage = models.ForeignKey(
        Stage, models.PROTECT, related_name="table_steps", verbose_name=_("stage")
    )
    round = models.PositiveSmallIntegerField(_("round"))
    table = models.PositiveSmallIntegerField(_("table"))
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    data = models.JSONField(_("content"), default=dict, blank=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    submission = models.UUIDField(_("submission"), unique=True)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    by = user_key(_("by"))

    DATA = DataDeclaration(
        retention="for ever: it names nobody",
        staff="id stage round table number kind data reason submission at by",
        free_text="reason",
        coded_text="data",
        not_personal="what a table sent, under numbers; a player's part in it is the seat",
        append_only=AppendOnly(),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("step at a table")
        verbose_name_plural = _("steps at tables")
        ordering = ["stage", "round", "table", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "round", "table", "number"], name="steps_of_a_table_in_a_row"
            ),
            models.CheckConstraint(
                condition=Q(
                    kind__in=[
                        *("sent", "confirmed", "disputed", "suspended", "settled"),
                        *("auction", "bid", "taken_back", "clock", "turn"),
                    ]
                ),
                name="table_step_kind_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id}.{self.round}.{self.table}.{self.number}: {self.kind}"
