"""Claims of a past, and merges of two players who are one person."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Keep, OnMerge
from pergioco.core.fields import user_key
from pergioco.players.models.accounts import PlatformAccount
from pergioco.players.models.people import Player


class ClaimQuerySet(models.QuerySet["Claim"]):
    def with_names(self) -> "ClaimQuerySet":
        return self.select_related(
            "player__person__user",
            "player__registration",
            "target__person__user",
            "target__registration",
            "decided_by",
            "account",
        ).prefetch_related(
            "player__accounts__nicknames", "target__accounts__nicknames", "account__nicknames"
        )

    def sent(self) -> "ClaimQuerySet":
        """Without the offers that no player has answered. Open claims come first."""
        claimed = self.filter(state__in=["open", "approved", "refused"])
        return claimed.order_by(
            models.Case(models.When(state="open", then=0), default=1), "made_at", "id"
        )


class Claim(models.Model):
    """“That was me”: a registered player claims another row, usually an unregistered participant
    (PG-4)."""

    class State(models.TextChoices):
        OFFERED = "offered", _("not answered yet")
        DECLINED = "declined", _("“that was somebody else”")
        OPEN = "open", _("waiting for staff")
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("refused")

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="claims", verbose_name=_("who claims")
    )
    target = models.ForeignKey(
        Player, models.PROTECT, related_name="claimed_by", verbose_name=_("whose past")
    )
    account = models.ForeignKey(
        PlatformAccount,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("account that was named at registration"),
    )
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    decided_by = user_key(_("decided by"))
    answer = models.TextField(_("answer"), blank=True)

    objects = ClaimQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="for ever, without the person",
        member="id player target account state made_at decided_at answer",
        staff="decided_by",
        free_text="answer",
        person="player target",
        on_erasure=Keep(_("that a past was claimed, as two numbers"), blank="answer"),
        on_merge={"player": OnMerge.STAY, "target": OnMerge.STAY},
        privacy_rows=(privacy_table.DECISIONS,),
    )

    class Meta:
        verbose_name = _("claim")
        verbose_name_plural = _("claims")
        ordering = ["made_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "target"],
                condition=models.Q(state__in=["offered", "declined", "open"]),
                name="claim_is_made_once",
            ),
            models.CheckConstraint(
                condition=~models.Q(player=models.F("target")), name="claim_is_about_another"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    state__in=["offered", "declined", "open", "approved", "refused"]
                ),
                name="claim_state_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} → {self.target}"


class MergeQuerySet(models.QuerySet["Merge"]):
    def with_names(self) -> "MergeQuerySet":
        return self.select_related(
            "kept__person",
            "kept__registration",
            "absorbed__person",
            "absorbed__registration",
            "done_by",
            "undone_by",
        ).prefetch_related("kept__accounts__nicknames", "absorbed__accounts__nicknames")


class Merge(models.Model):
    """Which rows moved from one player to the other, so that an undo can move them back."""

    kept = models.ForeignKey(Player, models.PROTECT, related_name="merges", verbose_name=_("stays"))
    absorbed = models.ForeignKey(
        Player, models.PROTECT, related_name="+", verbose_name=_("is absorbed")
    )
    moved = models.JSONField(_("rows moved"), default=dict)
    reason = models.TextField(_("reason"))
    done_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("done by")
    )
    done_at = models.DateTimeField(_("done"), auto_now_add=True)
    undone_by = user_key(_("undone by"), on_delete=models.PROTECT)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    objects = MergeQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="for ever, without the person",
        staff="id kept absorbed moved reason done_by done_at undone_by undone_at",
        free_text="reason",
        coded_text="moved",
        person="kept absorbed",
        on_erasure=Keep(_("that two players were found to be one, as two numbers"), blank="reason"),
        on_merge={"kept": OnMerge.STAY, "absorbed": OnMerge.STAY},
        privacy_rows=(privacy_table.DECISIONS,),
    )

    class Meta:
        verbose_name = _("merge")
        verbose_name_plural = _("merges")
        ordering = ["-done_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["absorbed"],
                condition=models.Q(undone_at=None),
                name="player_is_absorbed_once",
            ),
            models.CheckConstraint(
                condition=~models.Q(kept=models.F("absorbed")), name="merge_is_of_two_players"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.absorbed} → {self.kept}"
