"""The key to a player's own calendar file."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy
from pergioco.players.fields import random_id
from pergioco.players.models.people import Player


class CalendarLink(models.Model):
    """Calendar apps cannot sign in: whoever has the address reads it. Without this row the address is gone."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="calendar_link", verbose_name=_("player"))
    key = models.CharField(_("key"), max_length=32, unique=True, default=random_id, editable=False)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)

    PRIVACY: ClassVar = {privacy.MEMBER: "id player made_at", privacy.SECRET: "key"}
    KEPT = "until the player takes it back or is erased"

    class Meta:
        verbose_name = _("calendar link")
        verbose_name_plural = _("calendar links")

    def __str__(self) -> str:
        return f"{self.player} {self.made_at:%Y-%m-%d}"
