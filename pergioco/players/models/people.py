"""The player, who stays for ever, and the person, who may be erased."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django_countries.fields import CountryField

from pergioco.players import privacy
from pergioco.players.fields import FoldedField, random_id
from pergioco.players.rules.publication import BIG, Standing, name_is_public, name_is_public_in_big
from pergioco.rulekit.folding import fold

NAMING = ("person", "registration", "membership")  # what decides how a player is called in public


def naming(*paths: str) -> list[str]:
    """The same, of players that are reached through other rows."""
    return [f"{path}__{name}" for path in paths for name in NAMING]


class PlayerQuerySet(models.QuerySet["Player"]):
    def current(self) -> "PlayerQuerySet":
        """Without those that were found to be somebody else."""
        return self.filter(merged_into=None)

    def with_names(self, circuit: str = "") -> "PlayerQuerySet":
        """As the pages of that circuit name them."""
        known: dict[str, Any] = {"circuit": models.Value(circuit)}
        return self.select_related(*NAMING).annotate(**known)


class Player(models.Model):
    """One competitor, whatever the circuit. Holds nothing personal: results, ratings and the audit log point here."""

    public_id = models.CharField(_("public id"), max_length=32, unique=True, default=random_id, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="absorbed", verbose_name=_("is the same as")
    )
    erased_at = models.DateTimeField(_("personal data erased"), null=True, blank=True)

    circuit = ""  # for whose pages this one was read: it decides about the name, and is no column

    objects = PlayerQuerySet.as_manager()

    PRIVACY: ClassVar = {privacy.PUBLIC: "id public_id created_at merged_into erased_at"}
    KEPT = "for ever: it names nobody"

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(merged_into=models.F("id")), name="player_is_not_merged_into_itself"
            )
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        """The public page. With the name if that is public; the id alone leads there too."""
        name = slugify(fold(str(self.person))) if self.has_public_page else ""
        return reverse("player", args=[f"{self.public_id}-{name}" if name else self.public_id])

    @property
    def is_named_in_public(self) -> bool:
        """On the pages of the circuit for which the player was read."""
        if self.has_public_page or self.circuit != BIG:
            return self.has_public_page
        return hasattr(self, "person") and name_is_public_in_big(self.standing, is_member=hasattr(self, "membership"))

    @property
    def has_public_page(self) -> bool:
        """Named wherever players are named."""
        return hasattr(self, "person") and name_is_public(self.standing)

    @property
    def standing(self) -> Standing:
        registration = getattr(self, "registration", None)
        if registration is None:
            return Standing(erased=self.erased_at is not None, registered=False, publication_allowed=False)
        return Standing(
            erased=self.erased_at is not None,
            registered=registration.counts,
            publication_allowed=registration.publication_allowed,
            withdrew=registration.was_taken_back,
        )


class Person(models.Model):
    """The personal data of a player. Erasing it leaves the player."""

    player = models.OneToOneField(Player, models.PROTECT, related_name="person", verbose_name=_("player"))
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="person",
        verbose_name=_("login"),
    )
    first_name = models.CharField(_("first name"), max_length=100)
    last_name = models.CharField(_("surname"), max_length=100)
    city = models.CharField(_("city"), max_length=100)
    country = CountryField(_("country"), db_index=True)
    birth_date = models.DateField(_("birth date"), null=True, blank=True)
    contact_email = models.EmailField(
        _("e-mail without a login"), blank=True, help_text=_("Only for people who have no login yet.")
    )
    phone = models.CharField(_("phone"), max_length=30, blank=True)
    identity_checked_on = models.DateField(_("identity document seen on"), null=True, blank=True)
    search_key = FoldedField(
        "first_name", "last_name", verbose_name=_("name for searching"), max_length=500, db_index=True
    )

    PRIVACY: ClassVar = {
        privacy.PUBLIC: "first_name last_name city country search_key",
        privacy.STAFF: "id player user birth_date contact_email phone identity_checked_on",
    }
    KEPT = "until the person is erased"

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["last_name", "first_name", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(user=None) | models.Q(contact_email=""), name="person_has_one_e_mail_address"
            )
        ]

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def email(self) -> str:
        """The one address: the login's, or the one on file for somebody who has no login."""
        return self.user.email if self.user else self.contact_email


class ErasureJournal(models.Model):
    """Whose personal data were destroyed: replayed after a backup is restored, so that erased stays erased."""

    player = models.OneToOneField(Player, models.PROTECT, related_name="erasure", verbose_name=_("player"))
    asked_at = models.DateTimeField(_("asked"))
    done_at = models.DateTimeField(_("done"), auto_now_add=True)

    PRIVACY: ClassVar = {privacy.STAFF: "id player asked_at done_at"}
    KEPT = "as long as any backup that may hold the data"

    class Meta:
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")

    def __str__(self) -> str:
        return f"{self.player} {self.done_at:%Y-%m-%d}"
