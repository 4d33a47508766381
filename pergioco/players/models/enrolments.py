"""Registration, membership, consents, event codes and clubs."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import AppendOnly, DataDeclaration, Delete, Keep, OnMerge
from pergioco.core.fields import user_key
from pergioco.core.models import User
from pergioco.players.models.people import Player


class RegistrationQuerySet(models.QuerySet["Registration"]):
    def counting(self) -> "RegistrationQuerySet":
        """`counts` as a filter."""
        return self.filter(rules_accepted=True).exclude(state__in=Registration.NOT_COUNTING)

    def taken_back(self) -> "RegistrationQuerySet":
        """`was_taken_back` as a filter."""
        return self.exclude(rules_accepted=True, publication_allowed=True)


class Registration(models.Model):
    """Enrolment in PerGioco Masters, once for all seasons (PGM 6). Its day decides publication and
    Race rights."""

    class State(models.TextChoices):
        WAITING_FOR_MAIL = "mail", _("waiting for the e-mail to be confirmed")
        NEW = "new", _("new")
        NEEDS_CORRECTION = "correct", _("needs a correction")
        VERIFIED = "verified", _("identity verified")
        REFUSED = "refused", _("refused")

    NOT_COUNTING = (State.WAITING_FOR_MAIL, State.REFUSED)

    player = models.OneToOneField(
        Player, models.PROTECT, related_name="registration", verbose_name=_("player")
    )
    registered_on = models.DateField(_("registered on"))
    created_at = models.DateTimeField(_("received"), auto_now_add=True)
    state = models.CharField(
        _("state"), max_length=8, choices=State.choices, default=State.WAITING_FOR_MAIL
    )
    # Mirrors of two consents for filters; `services.consents` writes them with each act.
    publication_allowed = models.BooleanField(_("publication allowed"), default=True)
    rules_accepted = models.BooleanField(_("rules accepted"), default=True)
    messages = models.JSONField(_("what to correct"), default=dict, blank=True)
    reviewed_at = models.DateTimeField(_("reviewed"), null=True, blank=True)
    reviewed_by = user_key(_("reviewed by"))
    version = models.PositiveIntegerField(_("version"), default=1)

    objects = RegistrationQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="for ever, without the person; an unconfirmed one 14 days",
        member=(
            "id player registered_on created_at state publication_allowed rules_accepted messages "
            "reviewed_at version"
        ),
        staff="reviewed_by",
        free_text="messages",
        person="player",
        on_erasure=Keep(_("the day of your registration and its state"), blank="messages"),
        on_merge={"player": OnMerge.MOVE_IF_NONE},
        privacy_rows=(privacy_table.DECISIONS,),
    )

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
        """Not before the address is confirmed, not after a refusal by staff or a withdrawal of the
        rules."""
        return self.rules_accepted and self.state not in self.NOT_COUNTING

    @property
    def was_taken_back(self) -> bool:
        # Withdrawing either consent hides the name on all pages, BIG's included.
        return not (self.rules_accepted and self.publication_allowed)


class Membership(models.Model):
    """Membership of Board Italian Gamers: free, and it never expires (BIG 2)."""

    player = models.OneToOneField(
        Player, models.PROTECT, related_name="membership", verbose_name=_("player")
    )
    member_on = models.DateField(_("member since"))

    DATA = DataDeclaration(
        retention="for ever, without the person",
        member="id player member_on",
        person="player",
        on_erasure=Keep(_("the day you became a member of BIG")),
        on_merge={"player": OnMerge.MOVE_IF_NONE},
        privacy_rows=(privacy_table.DECISIONS, privacy_table.NAMES_IN_BIG),
    )

    class Meta:
        verbose_name = _("BIG membership")
        verbose_name_plural = _("BIG memberships")

    def __str__(self) -> str:
        return f"{self.player} {self.member_on}"


class Club(models.Model):
    """A club, or a family or common group. RisiKo! draws keep its members apart."""

    class Kind(models.TextChoices):
        CLUB = "club", _("club")
        FAMILY = "family", _("family or common group")

    name = models.CharField(_("name"), max_length=120)
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices, default=Kind.CLUB)
    city = models.CharField(_("city"), max_length=100, blank=True)

    DATA = DataDeclaration(
        retention="for ever",
        staff="id name kind city",
        free_text="name",
        typed_text="city",
    )

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs and groups")
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                models.functions.Lower("name"), "kind", name="club_name_once_per_kind"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["club", "family"]), name="club_kind_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ClubMember(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="members", verbose_name=_("club"))
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="clubs", verbose_name=_("player")
    )

    DATA = DataDeclaration(
        retention="until the person is erased",
        staff="id club player",
        person="player",
        on_erasure=Delete(_("your clubs and groups")),
        on_merge={"player": lambda kept: models.Q(club__members__player=kept)},
        privacy_rows=(privacy_table.DECISIONS,),
    )

    class Meta:
        verbose_name = _("member of a club")
        verbose_name_plural = _("members of clubs")
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="club_member_once")]

    def __str__(self) -> str:
        return f"{self.club}: {self.player}"


class Consent(models.Model):
    """One act: given or withdrawn. Rows are only added. The latest act of a kind is in force."""

    class Kind(models.TextChoices):
        RULES = "rules", _("rules")
        PUBLICATION = "publication", _("publication of name, surname, city and country")
        NEWSLETTER = "newsletter", _("newsletter")

    class Way(models.TextChoices):
        REGISTRATION = "registration", _("registration page")
        ACCOUNT = "account", _("account page")
        STAFF = "staff", _("by the federation's staff, on request")
        LINK = "link", _("by the link in a mail")

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="consents", verbose_name=_("player")
    )
    kind = models.CharField(_("about"), max_length=11, choices=Kind.choices)
    given = models.BooleanField(_("given"))
    text_version = models.CharField(_("version of the text"), max_length=10)
    language = models.CharField(_("language"), max_length=2, choices=settings.LANGUAGES)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    way = models.CharField(_("how"), max_length=12, choices=Way.choices)

    DATA = DataDeclaration(
        retention="for ever, without the person: it proves what was agreed",
        member="id player kind given text_version language at way",
        coded_text="text_version",
        person="player",
        on_erasure=Keep(
            _("what you agreed to and when, without your name: it proves what we were allowed")
        ),
        on_merge={
            "player": OnMerge.MOVE_IF_NONE
        },  # two histories must not mix: the latest act would win over both
        privacy_rows=(privacy_table.DECISIONS,),
        append_only=AppendOnly(expires=True),
    )

    class Meta:
        verbose_name = _("consent")
        verbose_name_plural = _("consents")
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["rules", "publication", "newsletter"]),
                name="consent_kind_is_known",
            )
        ]
        indexes = [models.Index(fields=["player", "kind", "-at"], name="consent_latest")]

    def __str__(self) -> str:
        return f"{self.player} {self.kind} {'+' if self.given else '-'}"


class EventCode(models.Model):
    """Lets many people register from one address: registrations with a code do not count for the
    rate limit."""

    code = models.CharField(_("code"), max_length=32, unique=True)
    note = models.CharField(_("what it is for"), max_length=200, blank=True)
    valid_from = models.DateTimeField(_("valid from"))
    valid_to = models.DateTimeField(_("valid to"))
    uses_left = models.PositiveIntegerField(_("uses left"), default=100)
    created_by = models.ForeignKey(
        User, models.PROTECT, verbose_name=_("created by"), related_name="+"
    )

    DATA = DataDeclaration(
        retention="one year after it ended",
        staff="id code note valid_from valid_to uses_left created_by",
        free_text="note",
        coded_text="code",
        not_personal="made for a hall full of people; who made it was on duty",
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("event code")
        verbose_name_plural = _("event codes")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(valid_to__gt=models.F("valid_from")), name="event_code_lasts"
            )
        ]

    def __str__(self) -> str:
        return self.code

    def is_open(self, now: datetime) -> bool:
        return self.valid_from <= now < self.valid_to and self.uses_left > 0
