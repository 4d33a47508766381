"""Who changed what. Rows are added in the transaction of the change itself, and never edited."""

from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy
from pergioco.players.models.people import Player


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    def about(self, player: Player) -> "AuditQuerySet":
        return self.filter(player=player)

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("The audit log is append-only. `shred` blanks the personal values of an erased player.")

    def delete(self) -> NoReturn:
        raise TypeError("The audit log is append-only.")

    def shred(self) -> int:
        """Destroys the values and keeps the fact: an erased person leaves no trace of their data here."""
        return super().update(changes={}, reason="", shredded=True)


class AuditEntry(models.Model):
    at = models.DateTimeField(_("when"), auto_now_add=True, db_index=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("who")
    )
    role = models.CharField(_("as"), max_length=20)
    action = models.CharField(_("action"), max_length=60)
    object_type = models.CharField(_("kind of object"), max_length=60)
    object_id = models.CharField(_("object"), max_length=40)
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="audit", verbose_name=_("player concerned")
    )
    changes = models.JSONField(_("before and after"), default=dict)
    reason = models.TextField(_("reason"), blank=True)
    request_id = models.CharField(_("request"), max_length=32, blank=True)
    shredded = models.BooleanField(_("values destroyed"), default=False)

    objects = AuditQuerySet.as_manager()

    PRIVACY: ClassVar = {
        privacy.MEMBER: "id at role action object_type object_id player changes reason shredded",
        privacy.STAFF: "actor request_id",
    }
    KEPT = "ten years; the values until the person is erased"

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["object_type", "object_id"], name="audit_of_an_object")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("The audit log is append-only.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("The audit log is append-only.")
