"""What people agreed to, in which words, and when they took it back."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy
from pergioco.players.models.people import Player


class Consent(models.Model):
    """One act: given or withdrawn. Rows are only ever added; the latest one of a kind is in force."""

    class Kind(models.TextChoices):
        RULES = "rules", _("rules")
        PUBLICATION = "publication", _("publication of name, surname, city and country")
        NEWSLETTER = "newsletter", _("newsletter")

    class Way(models.TextChoices):
        REGISTRATION = "registration", _("registration page")
        ACCOUNT = "account", _("account page")
        STAFF = "staff", _("by the federation's staff, on request")
        LINK = "link", _("by the link in a mail")

    player = models.ForeignKey(Player, models.PROTECT, related_name="consents", verbose_name=_("player"))
    kind = models.CharField(_("about"), max_length=11, choices=Kind.choices)
    given = models.BooleanField(_("given"))
    text_version = models.CharField(_("version of the text"), max_length=10)
    language = models.CharField(_("language"), max_length=2, choices=settings.LANGUAGES)
    at = models.DateTimeField(_("when"), auto_now_add=True)
    way = models.CharField(_("how"), max_length=12, choices=Way.choices)

    PRIVACY: ClassVar = {privacy.MEMBER: "id player kind given text_version language at way"}
    KEPT = "for ever, without the person: it proves what was agreed"

    class Meta:
        verbose_name = _("consent")
        verbose_name_plural = _("consents")
        ordering = ["-at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["rules", "publication", "newsletter"]), name="consent_kind_is_known"
            )
        ]
        indexes = [models.Index(fields=["player", "kind", "-at"], name="consent_latest")]

    def __str__(self) -> str:
        return f"{self.player} {self.kind} {'+' if self.given else '-'}"
