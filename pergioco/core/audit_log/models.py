"""Who changed what. Rows are written in the transaction of the change and never edited."""

from typing import TYPE_CHECKING, Any, NoReturn

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

from pergioco.core import privacy_table
from pergioco.core.data import AppendOnly, DataDeclaration, Keep, OnMerge, Owner
from pergioco.core.fields import random_id, user_key
from pergioco.core.guards import Door, pass_guards

if TYPE_CHECKING:
    from pergioco.players.models import Player


def make_salt() -> str:
    return random_id(26)  # 128 bits


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    def about(self, player: "Player") -> "AuditQuerySet":
        return self.filter(player=player)

    def of_row(self, row: models.Model) -> "AuditQuerySet":
        """The history of a row on its page, the latest first."""
        rows = self.filter(object_type=row._meta.label_lower, object_id=str(row.pk))
        return rows.select_related("actor")

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError(
            "The audit log is append-only. `shred` blanks the personal values of an erased player."
        )

    def delete(self) -> NoReturn:
        raise TypeError("The audit log is append-only.")

    def shred(self) -> int:
        """Blanks the personal values of an erased person; the entry itself stays."""
        with pass_guards(Door.ERASING):
            return super().update(
                changes={}, before={}, after={}, reason="", salt="", shredded=True
            )


def find_entries_about(owner: Owner) -> models.Q:
    logins = [str(pk) for pk in owner.users]
    return models.Q(player__in=owner.players) | models.Q(
        object_type="core.user", object_id__in=logins
    )


class AuditEntry(models.Model):
    at = models.DateTimeField(_("when"), auto_now_add=True, db_index=True)
    actor = user_key(_("who"))
    role = models.CharField(_("as"), max_length=20)
    action = models.CharField(_("action"), max_length=60)
    object_type = models.CharField(_("kind of object"), max_length=60)
    object_id = models.CharField(_("object"), max_length=40)
    player = models.ForeignKey(
        "players.Player",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="audit",
        verbose_name=_("player concerned"),
    )
    changes = models.JSONField(_("before and after"), default=dict)
    # What undoing works from: values and ids, while `changes` holds words for people.
    before = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    after = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    reason = models.TextField(_("reason"), blank=True)
    request_id = models.CharField(_("request"), max_length=32, blank=True)
    shredded = models.BooleanField(_("values destroyed"), default=False)
    # Destroyed with the values, so that their hash in a seal says nothing about them any more.
    salt = models.CharField(max_length=32, default=make_salt, db_default="", editable=False)

    objects = AuditQuerySet.as_manager()

    DATA = DataDeclaration(
        retention="ten years; the values until the person is erased",
        member=(
            "id at role action object_type object_id player changes before after reason shredded"
        ),
        staff="actor request_id",
        hidden="salt",
        free_text="changes reason",
        coded_text="role action object_type object_id request_id before after",
        person=find_entries_about,
        on_erasure=Keep(_("that something was changed and when; the values are destroyed")),
        on_merge={"player": OnMerge.STAY},  # append-only
        privacy_rows=(privacy_table.CHANGES,),
        append_only=AppendOnly(
            sentence="The audit log is append-only.",
            erased="before after salt shredded",
            sealed="salt",
        ),
        on_public_pages=False,
    )

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


class AuditSeal(models.Model):
    """Up to a thousand rows of the log and the hash of the seal before: no row that it names can
    be changed, removed or added unseen (`core/audit_seals.py`)."""

    number = models.PositiveIntegerField(_("number"), unique=True)
    first_id = models.BigIntegerField(_("from"))
    last_id = models.BigIntegerField(_("to"))
    rows = models.PositiveIntegerField(_("rows"))
    lines = models.TextField(_("hashes of the rows"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    made_at = models.DateTimeField(_("when"))

    DATA = DataDeclaration(
        retention="as long as the audit log",
        public="id number first_id last_id rows sha256 made_at",
        hidden="lines",
        coded_text="sha256",
        append_only=AppendOnly(sentence="A seal of the audit log is never changed."),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("seal of the audit log")
        verbose_name_plural = _("seals of the audit log")
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.number}: {self.sha256}"


class AuditCheck(models.Model):
    """What a walk along all seals found; empty if they hold."""

    at = models.DateTimeField(_("when"), auto_now_add=True)
    rows = models.PositiveIntegerField(_("rows"))
    seals = models.PositiveIntegerField(_("seals"))
    sha256 = models.CharField(_("SHA-256 of the last seal"), max_length=64, blank=True)
    problem = models.CharField(_("what does not hold"), max_length=200, blank=True)

    DATA = DataDeclaration(
        retention="as long as the audit log",
        staff="id at rows seals sha256 problem",
        coded_text="sha256 problem",
        append_only=AppendOnly(),
        on_public_pages=False,
    )

    class Meta:
        verbose_name = _("check of the audit log")
        verbose_name_plural = _("checks of the audit log")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.problem}"
