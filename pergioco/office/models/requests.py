"""What somebody asks about their own data, when the portal was not the way: by mail, by phone, at a table."""

from datetime import date
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pergioco.players import privacy
from pergioco.players.models import Player


class DataRequest(models.Model):
    class Kind(models.TextChoices):
        ACCESS = "access", _("to know what is kept (access)")
        PORTABILITY = "portability", _("to have the data as a file (portability)")
        RECTIFICATION = "rectification", _("to have them corrected (rectification)")
        ERASURE = "erasure", _("to be deleted (erasure)")

    class Way(models.TextChoices):
        MAIL = "mail", _("by e-mail")
        LETTER = "letter", _("by letter")
        PHONE = "phone", _("by phone")
        SPOKEN = "spoken", _("in person")
        FORM = "form", _("by the portal's form")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("data request", "open")
        DONE = "done", pgettext_lazy("data request", "done")
        REFUSED = "refused", pgettext_lazy("data request", "refused")

    player = models.ForeignKey(Player, models.PROTECT, related_name="data_requests", verbose_name=_("player"))
    kind = models.CharField(_("what is asked"), max_length=13, choices=Kind.choices)
    way = models.CharField(_("how it was asked"), max_length=6, choices=Way.choices)
    asked_on = models.DateField(_("asked on"))
    due_on = models.DateField(_("due on"))
    note = models.TextField(_("note"), max_length=1000, blank=True)
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.OPEN)
    version = models.PositiveIntegerField(_("version"), default=1)
    noted_at = models.DateTimeField(_("noted"), auto_now_add=True)
    noted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("noted by")
    )
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("settled by")
    )
    reason = models.TextField(_("why it was refused"), max_length=2000, blank=True)

    PRIVACY: ClassVar = {
        privacy.MEMBER: "id player kind way asked_on due_on state settled_at reason",
        privacy.STAFF: "note version noted_at noted_by settled_by",
    }
    KEPT = "five years after it was settled, to show that it was; an erasure empties note and reason"

    class Meta:
        verbose_name = _("request about personal data")
        verbose_name_plural = _("requests about personal data")
        ordering = ["due_on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="open", settled_at=None) | (~Q(state="open") & Q(settled_at__isnull=False)),
                name="settled_data_request_says_when",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.asked_on}"

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    def is_late(self, today: date) -> bool:
        return self.is_open and self.due_on < today
