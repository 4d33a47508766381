"""The short memory of all processes: counters of limits, used codes, locks.

A table of its own. Nothing is forgotten before its time, values are JSON, keys are hashes, and each
change is made by one process at a time.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import connection, transaction
from django.utils.crypto import salted_hmac

from pergioco.core.models import ShortMemory

SALT = "pergioco.short_memory"
NEVER = 1e11  # seconds since 1970: an end that does not come
ABSENT = object()
# Makes the row if there is none, and locks it until the transaction ends
LOCK = """
INSERT INTO core_shortmemory (key, value, expires_at) VALUES (%s, 'null', 0)
ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING value, expires_at
"""
# The new value and its end; None leaves it as it is
Change = Callable[[Any], tuple[Any, float] | None]


def hash_name(name: str) -> str:
    return salted_hmac(SALT, name, algorithm="sha256").hexdigest()


def change(key: str, change_value: Change) -> bool:
    """One at a time for each key; `change_value` gets `ABSENT` for what is not there."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(LOCK, [key])
            value, expires_at = cursor.fetchone()
        old = json.loads(value) if expires_at > time.time() else ABSENT
        changed = change_value(old)
        if changed is not None:
            new, until = changed
            rows = ShortMemory.objects.filter(key=key)
            rows.update(value=json.dumps(new), expires_at=until)
    return changed is not None


def recall(key: str) -> Any:
    rows = ShortMemory.objects.filter(key=key, expires_at__gt=time.time())
    value = rows.values_list("value", flat=True).first()
    return ABSENT if value is None else json.loads(value)


def forget(key: str) -> bool:
    return bool(ShortMemory.objects.filter(key=key).delete()[0])


def forget_expired() -> None:
    ShortMemory.objects.filter(expires_at__lte=time.time()).delete()


class ShortMemoryCache(BaseCache):
    """Django's cache interface, which allauth uses for its limits and for used codes."""

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def make_key(self, key: str, version: int | None = None) -> str:
        return hash_name(super().make_key(key, version))

    def end(self, timeout: Any) -> float:
        found = self.get_backend_timeout(timeout)
        return NEVER if found is None else found

    def add(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        until = self.end(timeout)
        return change(
            self.make_key(key, version), lambda old: (value, until) if old is ABSENT else None
        )

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        found = recall(self.make_key(key, version))
        return default if found is ABSENT else found

    def set(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        until = self.end(timeout)
        change(self.make_key(key, version), lambda _old: (value, until))

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        until = self.end(timeout)
        return change(
            self.make_key(key, version), lambda old: None if old is ABSENT else (old, until)
        )

    def delete(self, key: str, version: int | None = None) -> bool:
        return forget(self.make_key(key, version))

    def clear(self) -> None:
        ShortMemory.objects.all().delete()
