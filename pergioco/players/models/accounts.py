"""Accounts on the platforms where stages are played, their nicknames, and the proof of
ownership."""

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import DataDeclaration, Delete, OnMerge
from pergioco.core.fields import user_key
from pergioco.players.models.people import Player


class Platform(models.TextChoices):
    BGA = "bga", "Board Game Arena"
    PLAYSTRATEGY = "playstrategy", "PlayStrategy"
    ABSTRACT_PLAY = "abstractplay", "Abstract Play"


class Proof(models.TextChoices):
    CLAIMED = "claimed", _("declared")
    CODE = "code", _("proved with a code")
    PERSON = "person", _("checked by a person")


class PlatformAccount(models.Model):
    """Keyed by the platform's own id. While that is unknown, the key is «~» and the folded
    nickname."""

    player = models.ForeignKey(
        Player, models.PROTECT, related_name="accounts", verbose_name=_("player")
    )
    platform = models.CharField(_("platform"), max_length=12, choices=Platform.choices)
    platform_id = models.CharField(_("id on the platform"), max_length=80)
    proof = models.CharField(_("proof"), max_length=8, choices=Proof.choices, default=Proof.CLAIMED)
    proved_at = models.DateTimeField(_("proved"), null=True, blank=True)
    proved_by = user_key(_("checked by"))
    created_at = models.DateTimeField(_("added"), auto_now_add=True)

    DATA = DataDeclaration(
        retention="until the person is erased",
        member="id player platform platform_id proof proved_at created_at",
        staff="proved_by",
        typed_text="platform_id",
        person="player",
        on_erasure=Delete(_("your accounts on the platforms")),
        on_merge={"player": OnMerge.MOVE},
        privacy_rows=(privacy_table.ACCOUNTS,),
    )

    class Meta:
        verbose_name = _("account on a platform")
        verbose_name_plural = _("accounts on platforms")
        ordering = ["platform", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "platform_id"], name="platform_account_belongs_to_one_player"
            ),
            models.CheckConstraint(
                condition=models.Q(platform__in=Platform.values), name="platform_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(proof__in=Proof.values), name="proof_is_known"
            ),
            models.CheckConstraint(
                condition=~models.Q(platform_id=""), name="platform_account_has_a_key"
            ),
            models.CheckConstraint(
                condition=models.Q(proof=Proof.CLAIMED, proved_at=None)
                | (~models.Q(proof=Proof.CLAIMED) & models.Q(proved_at__isnull=False)),
                name="proved_account_says_when",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_platform_display()}: {self.nickname}"

    @property
    def nickname(self) -> str:
        # Not a query: callers prefetch the nicknames.
        current = [name for name in self.nicknames.all() if name.valid_to is None]
        return current[0].name if current else self.platform_id.removeprefix("~")

    @property
    def id_is_known(self) -> bool:
        return not self.platform_id.startswith("~")

    @property
    def is_proved(self) -> bool:
        return self.proof != Proof.CLAIMED


class Nickname(models.Model):
    """A name that an account had from one day (included) to another (excluded)."""

    account = models.ForeignKey(
        PlatformAccount,
        models.CASCADE,
        related_name="nicknames",
        verbose_name=_("account on a platform"),
    )
    name = models.CharField(_("nickname"), max_length=60)
    key = models.CharField(_("folded nickname"), max_length=80, editable=False, db_index=True)
    valid_from = models.DateField(_("from"))
    valid_to = models.DateField(_("until"), null=True, blank=True)

    DATA = DataDeclaration(
        retention="until the person is erased",
        member="id account name key valid_from valid_to",
        typed_text="name",
        coded_text="key",
        person="account__player",
        on_erasure=Delete(_("your nicknames, those of the past too")),
        privacy_rows=(privacy_table.ACCOUNTS,),
    )

    class Meta:
        verbose_name = _("nickname")
        verbose_name_plural = _("nicknames")
        ordering = ["account", "valid_from", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["account"],
                condition=models.Q(valid_to=None),
                name="account_has_one_nickname_at_a_time",
            ),
            models.CheckConstraint(
                condition=models.Q(valid_to=None) | models.Q(valid_to__gte=models.F("valid_from")),
                name="nickname_dates_run_forward",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ProofCode(models.Model):
    """A one-time code. The player puts it where only the account's owner can write."""

    account = models.ForeignKey(
        PlatformAccount, models.CASCADE, related_name="codes", verbose_name=_("account")
    )
    code = models.CharField(_("code"), max_length=20, unique=True)
    made_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("used"), null=True, blank=True)
    for_person = models.BooleanField(_("a person is asked to look"), default=False)

    DATA = DataDeclaration(
        retention="one day after it expired",
        member="id account code made_at expires_at used_at for_person",
        coded_text="code",
        person="account__player",
        on_erasure=Delete(_("the codes by which you proved an account")),
        privacy_rows=(privacy_table.ACCOUNTS,),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("proof code")
        verbose_name_plural = _("proof codes")

    def __str__(self) -> str:
        return f"{self.account} {self.made_at:%Y-%m-%d %H:%M}"

    def is_open(self, now: datetime) -> bool:
        return self.used_at is None and now < self.expires_at
