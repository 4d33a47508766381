"""Model fields."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.utils.translation import get_language

from pergioco.rulekit.text import fold

if TYPE_CHECKING:
    from pergioco.core.models import User

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no 0/o, 1/i/l: it is read aloud and typed


def random_id(length: int = 10) -> str:
    # 31^10 values: one player's id does not help to guess another one
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def in_language(row: models.Model, name: str) -> str:
    """Of the fields `<name>_it`, `<name>_en` and `<name>_es` the one for the reader."""
    code = (get_language() or "it")[:2]
    text: str = getattr(row, f"{name}_{code}" if code in {"it", "es"} else f"{name}_en")
    return text


if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from pergioco.core.models import User

    UserKey = models.ForeignKey[User | None, User | None]
    TextColumn = models.CharField[str, str]
else:
    TextColumn = models.CharField


def user_key(
    label: "StrOrPromise",
    *,
    on_delete: Callable[..., None] = models.SET_NULL,
    blank: bool = True,
) -> "UserKey":
    """The user who did it: empty before it is done, and when the login is gone."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete,
        null=True,
        blank=blank,
        related_name="+",
        verbose_name=label,
    )


class FoldedField(TextColumn):
    """Keeps the accent-blind form of other fields of the row, also in bulk writes."""

    def __init__(self, *sources: str, **kwargs: Any) -> None:
        self.sources = sources
        kwargs.setdefault("editable", False)
        kwargs.setdefault("max_length", 250)
        super().__init__(**kwargs)

    def deconstruct(self) -> Any:
        name, path, _args, kwargs = super().deconstruct()
        return name, path, list(self.sources), kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> str:  # noqa: FBT001 - Django's signature
        value = fold(" ".join(str(getattr(model_instance, source)) for source in self.sources))
        setattr(model_instance, self.attname, value[: self.max_length])
        return value[: self.max_length]
