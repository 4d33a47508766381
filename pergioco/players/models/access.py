"""Logins. What a login may do stands in `pergioco.players.policy`."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from pergioco.players import privacy


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractUser):
    """A login is an e-mail address; the person behind it, if any, is `user.person`."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail"), unique=True)
    language = models.CharField(_("language"), max_length=2, choices=settings.LANGUAGES, default="it")

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    PRIVACY: ClassVar = {
        privacy.MEMBER: "id email language date_joined last_login",
        privacy.STAFF: "is_active is_staff is_superuser groups user_permissions",
        privacy.SECRET: "password",
    }
    KEPT = "until the person is erased"

    class Meta:
        verbose_name = _("login")
        verbose_name_plural = _("logins")
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_once_in_any_case")]

    def __str__(self) -> str:
        return self.email

    @cached_property
    def group_names(self) -> frozenset[str]:
        """Read once: a request asks for the roles many times."""
        return frozenset(self.groups.values_list("name", flat=True))

    def get_full_name(self) -> str:
        return str(getattr(self, "person", "") or self.email)

    def get_short_name(self) -> str:
        return self.get_full_name()


class EventCode(models.Model):
    """Lets a hall full of people register from one address: the limit per address does not count for its uses."""

    code = models.CharField(_("code"), max_length=32, unique=True)
    note = models.CharField(_("what it is for"), max_length=200, blank=True)
    valid_from = models.DateTimeField(_("valid from"))
    valid_to = models.DateTimeField(_("valid to"))
    uses_left = models.PositiveIntegerField(_("uses left"), default=100)
    created_by = models.ForeignKey(User, models.PROTECT, verbose_name=_("created by"), related_name="+")

    PRIVACY: ClassVar = {privacy.STAFF: "id code note valid_from valid_to uses_left created_by"}
    KEPT = "one year after it ended"

    class Meta:
        verbose_name = _("event code")
        verbose_name_plural = _("event codes")
        constraints = [
            models.CheckConstraint(condition=models.Q(valid_to__gt=models.F("valid_from")), name="event_code_lasts")
        ]

    def __str__(self) -> str:
        return self.code

    def is_open(self, now: datetime) -> bool:
        return self.valid_from <= now < self.valid_to and self.uses_left > 0
