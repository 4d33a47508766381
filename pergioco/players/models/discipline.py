"""Sanctions and disqualifications."""

from datetime import date

from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Keep, OnMerge
from pergioco.core.fields import user_key
from pergioco.core.two_person import two_people_constraint
from pergioco.players.models.people import Player


class Sanction(models.Model):
    """Bars a player from RisiKo! Masters between two days, both included."""

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="sanctions", verbose_name=_("player")
    )
    starts_on = models.DateField(_("from"))
    ends_on = models.DateField(_("last day"))
    reason = models.TextField(_("reason"))
    decided_by = user_key(_("decided by"), blank=False)
    decided_at = models.DateTimeField(_("decided"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="five years after it ended",
        staff="id player starts_on ends_on reason decided_by decided_at",
        free_text="reason",
        person="player",
        on_erasure=Keep(_("the dates of a sanction, without its reason"), blank="reason"),
        on_merge={"player": OnMerge.MOVE},
        privacy_rows=(privacy_table.SANCTIONS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-starts_on", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")),
                name="sanction_dates_run_forward",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.starts_on}–{self.ends_on}"

    def is_in_force(self, day: date) -> bool:
        return self.starts_on <= day <= self.ends_on


class DisqualificationQuerySet(models.QuerySet["Disqualification"]):
    def in_force(self, day: date) -> "DisqualificationQuerySet":
        """Confirmed, not withdrawn, and effective on or before that day."""
        return self.filter(confirmed_at__isnull=False, withdrawn_at=None, effective_on__lte=day)


def clashing_disqualifications(kept: Player) -> models.Q:
    # Only one disqualification may be open for a player.
    return (
        models.Q(withdrawn_at=None)
        if kept.disqualifications.filter(withdrawn_at=None).exists()
        else models.Q(pk__in=[])
    )


class Disqualification(models.Model):
    """A decision of the organizer (PGM 3 and 7, reading PG-26). It takes effect when a second
    person confirms it.

    Decisions from before the portal were imported with the archive. They are in force without
    proposer and confirmer."""

    class Kind(models.TextChoices):
        RANKING = "ranking", _("out of the rankings; games stay valid for the opponents")
        VOID = "void", _("out of the rankings, and games are void for the opponents too")

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="disqualifications", verbose_name=_("player")
    )
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices)
    effective_on = models.DateField(_("from"))
    reason = models.TextField(_("reason"))
    proposed_by = user_key(_("proposed by"), on_delete=models.PROTECT)
    proposed_at = models.DateTimeField(_("proposed"), auto_now_add=True)
    confirmed_by = user_key(_("confirmed by"), on_delete=models.PROTECT)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    objects = DisqualificationQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="for ever, without the person",
        member="id player kind effective_on reason proposed_at confirmed_at withdrawn_at",
        staff="proposed_by confirmed_by",
        free_text="reason",
        person="player",
        on_erasure=Keep(_("the dates of a disqualification, without its reason"), blank="reason"),
        on_merge={"player": clashing_disqualifications},
        privacy_rows=(privacy_table.DECISIONS,),
    )

    class Meta:
        verbose_name = _("disqualification")
        verbose_name_plural = _("disqualifications")
        ordering = ["-proposed_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["ranking", "void"]),
                name="disqualification_kind_is_known",
            ),
            two_people_constraint(
                "proposed_by", "confirmed_by", name="disqualification_needs_two_people"
            ),
            models.CheckConstraint(
                condition=models.Q(confirmed_by=None, confirmed_at=None)
                | models.Q(confirmed_by__isnull=False, confirmed_at__isnull=False)
                | models.Q(proposed_by=None, confirmed_at__isnull=False),
                name="disqualification_confirmed_by_and_when",
            ),
            models.CheckConstraint(
                condition=models.Q(proposed_by__isnull=False)
                | models.Q(proposed_by=None, confirmed_by=None, confirmed_at__isnull=False),
                name="disqualification_without_proposer_is_the_archives",
            ),
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(withdrawn_at=None),
                name="one_open_disqualification_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.effective_on}"

    @property
    def is_from_the_archive(self) -> bool:
        return self.proposed_by_id is None
