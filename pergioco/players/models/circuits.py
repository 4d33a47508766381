"""Enrolments in the circuits, clubs, and what a disciplinary decision takes away."""

from datetime import date
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy
from pergioco.players.models.people import Player


class RegistrationQuerySet(models.QuerySet["Registration"]):
    def counting(self) -> "RegistrationQuerySet":
        """The same as `counts`, for lists."""
        return self.filter(rules_accepted=True).exclude(state__in=Registration.NOT_COUNTING)

    def taken_back(self) -> "RegistrationQuerySet":
        """The same as `was_taken_back`, for lists."""
        return self.exclude(rules_accepted=True, publication_allowed=True)


class Registration(models.Model):
    """Enrolment in PerGioco Masters, once for all seasons (PGM 6). Its day decides publication and Race rights."""

    class State(models.TextChoices):
        WAITING_FOR_MAIL = "mail", _("waiting for the e-mail to be confirmed")
        NEW = "new", _("new")
        NEEDS_CORRECTION = "correct", _("needs a correction")
        VERIFIED = "verified", _("identity verified")
        REFUSED = "refused", _("refused")

    NOT_COUNTING = (State.WAITING_FOR_MAIL, State.REFUSED)

    player = models.OneToOneField(Player, models.PROTECT, related_name="registration", verbose_name=_("player"))
    registered_on = models.DateField(_("registered on"))
    created_at = models.DateTimeField(_("received"), auto_now_add=True)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.WAITING_FOR_MAIL)
    # The two consents that lists filter by, as they stand; `consenting` writes them with each act.
    publication_allowed = models.BooleanField(_("publication allowed"), default=True)
    rules_accepted = models.BooleanField(_("rules accepted"), default=True)
    messages = models.JSONField(_("what to correct"), default=dict, blank=True)
    reviewed_at = models.DateTimeField(_("reviewed"), null=True, blank=True)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("reviewed by"),
    )
    version = models.PositiveIntegerField(_("version"), default=1)

    objects = RegistrationQuerySet.as_manager()

    PRIVACY: ClassVar = {
        privacy.MEMBER: "id player registered_on created_at state publication_allowed rules_accepted messages "
        "reviewed_at version",
        privacy.STAFF: "reviewed_by",
    }
    KEPT = "for ever, without the person; an unconfirmed one 14 days"

    class Meta:
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["mail", "new", "correct", "verified", "refused"]),
                name="registration_state_is_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.registered_on}"

    @property
    def counts(self) -> bool:
        """From its day on, unless its address was never confirmed, staff refused it, or the rules were given up."""
        return self.rules_accepted and self.state not in self.NOT_COUNTING

    @property
    def was_taken_back(self) -> bool:
        """The consent to publication or the registration itself: the name is not shown then, wherever it stood."""
        return not (self.rules_accepted and self.publication_allowed)


class Membership(models.Model):
    """Membership of Board Italian Gamers: free, and it never expires (BIG 2)."""

    player = models.OneToOneField(Player, models.PROTECT, related_name="membership", verbose_name=_("player"))
    member_on = models.DateField(_("member since"))

    PRIVACY: ClassVar = {privacy.MEMBER: "id player member_on"}
    KEPT = "for ever, without the person"

    class Meta:
        verbose_name = _("BIG membership")
        verbose_name_plural = _("BIG memberships")

    def __str__(self) -> str:
        return f"{self.player} {self.member_on}"


class Club(models.Model):
    """A club, or a family or common group: RisiKo! draws keep its members apart."""

    class Kind(models.TextChoices):
        CLUB = "club", _("club")
        FAMILY = "family", _("family or common group")

    name = models.CharField(_("name"), max_length=120)
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices, default=Kind.CLUB)
    city = models.CharField(_("city"), max_length=100, blank=True)

    PRIVACY: ClassVar = {privacy.STAFF: "id name kind city"}
    KEPT = "for ever"

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs and groups")
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(models.functions.Lower("name"), "kind", name="club_name_once_per_kind"),
            models.CheckConstraint(condition=models.Q(kind__in=["club", "family"]), name="club_kind_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class ClubMember(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="members", verbose_name=_("club"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="clubs", verbose_name=_("player"))

    PRIVACY: ClassVar = {privacy.STAFF: "id club player"}
    KEPT = "until the person is erased"

    class Meta:
        verbose_name = _("member of a club")
        verbose_name_plural = _("members of clubs")
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="club_member_once")]

    def __str__(self) -> str:
        return f"{self.club}: {self.player}"


class Sanction(models.Model):
    """Bars a player from RisiKo! Masters between two days, both included."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="sanctions", verbose_name=_("player"))
    starts_on = models.DateField(_("from"))
    ends_on = models.DateField(_("last day"))
    reason = models.TextField(_("reason"))
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided"), auto_now_add=True)

    PRIVACY: ClassVar = {privacy.STAFF: "id player starts_on ends_on reason decided_by decided_at"}
    KEPT = "five years after it ended"

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-starts_on", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")), name="sanction_dates_run_forward"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.starts_on}–{self.ends_on}"

    def is_in_force(self, day: date) -> bool:
        return self.starts_on <= day <= self.ends_on


class DisqualificationQuerySet(models.QuerySet["Disqualification"]):
    def in_force(self, day: date) -> "DisqualificationQuerySet":
        """Confirmed, not withdrawn, and begun on or before that day."""
        return self.filter(confirmed_at__isnull=False, withdrawn_at=None, effective_on__lte=day)


class Disqualification(models.Model):
    """A decision of the organizer (PGM 3 and 7, reading PG-26). It takes effect when a second person confirms it.

    One that was taken before the portal came in with the archive: in force, and nobody here proposed or confirmed it.
    """

    class Kind(models.TextChoices):
        RANKING = "ranking", _("out of the rankings; games stay valid for the opponents")
        VOID = "void", _("out of the rankings, and games are void for the opponents too")

    player = models.ForeignKey(Player, models.PROTECT, related_name="disqualifications", verbose_name=_("player"))
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices)
    effective_on = models.DateField(_("from"))
    reason = models.TextField(_("reason"))
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("proposed by"),
    )
    proposed_at = models.DateTimeField(_("proposed"), auto_now_add=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("confirmed by"),
    )
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    objects = DisqualificationQuerySet.as_manager()

    PRIVACY: ClassVar = {
        privacy.MEMBER: "id player kind effective_on reason proposed_at confirmed_at withdrawn_at",
        privacy.STAFF: "proposed_by confirmed_by",
    }
    KEPT = "for ever, without the person"

    class Meta:
        verbose_name = _("disqualification")
        verbose_name_plural = _("disqualifications")
        ordering = ["-proposed_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["ranking", "void"]), name="disqualification_kind_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(confirmed_by=None) | ~models.Q(confirmed_by=models.F("proposed_by")),
                name="disqualification_needs_two_people",
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
                fields=["player"], condition=models.Q(withdrawn_at=None), name="one_open_disqualification_a_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.effective_on}"

    @property
    def is_from_the_archive(self) -> bool:
        return self.proposed_by_id is None
