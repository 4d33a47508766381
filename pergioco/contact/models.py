"""Mail on its way out, and the key to stop it."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.contact.newsletter.models import Bounce, Campaign, Delivery
from pergioco.contact.notices.models import Happening, Notice, Subscription
from pergioco.players import privacy
from pergioco.players.fields import random_id
from pergioco.players.models import Player

__all__ = (
    "Bounce",
    "Campaign",
    "Delivery",
    "Happening",
    "MailKey",
    "Notice",
    "OutgoingMail",
    "Subscription",
)


class OutgoingMail(models.Model):
    """One mail to one address, written in the transaction that caused it and sent after it; emptied once sent."""

    message_id = models.CharField(_("Message-ID"), max_length=120, unique=True)
    recipient = models.EmailField(_("recipient"))
    raw = models.BinaryField(_("message"))
    made_at = models.DateTimeField(_("written"), auto_now_add=True)
    closed_at = models.DateTimeField(_("sent or refused"), null=True, blank=True)
    refused = models.BooleanField(_("refused by the recipient's server"), default=False)

    PRIVACY: ClassVar = {privacy.STAFF: "id message_id made_at closed_at refused recipient", privacy.SECRET: "raw"}
    KEPT = "address and text until sent or refused; the empty row 30 days"

    class Meta:
        verbose_name = _("outgoing mail")
        verbose_name_plural = _("outgoing mail")
        ordering = ["id"]

    def __str__(self) -> str:
        return self.message_id


class MailKey(models.Model):
    """What the links in a player's mail are made of, by which it is ended without signing in."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="mail_key", verbose_name=_("player"))
    key = models.CharField(_("key"), max_length=32, unique=True, default=random_id, editable=False)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)

    PRIVACY: ClassVar = {privacy.MEMBER: "id player made_at", privacy.SECRET: "key"}
    KEPT = "until the person is erased"

    class Meta:
        verbose_name = _("key of the links in mail")
        verbose_name_plural = _("keys of the links in mail")

    def __str__(self) -> str:
        return f"{self.player} {self.made_at:%Y-%m-%d}"
