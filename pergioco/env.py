"""Reads settings from environment variables; a wrong value stops the start with a clear message."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry

YES = {"1", "true", "yes", "on"}
NO = {"0", "false", "no", "off"}


def string(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    value = string(name).lower()
    if not value:
        return default
    if value not in YES | NO:
        raise ImproperlyConfigured(f"{name} is “{value}”. Write 1 for yes or 0 for no.")
    return value in YES


def integer(name: str, default: int, *, least: int = 0) -> int:
    value = string(name, str(default))
    if not value.isascii() or not value.isdigit() or int(value) < least:
        raise ImproperlyConfigured(
            f"{name} is “{value}”. Write a whole number of at least {least}."
        )
    return int(value)


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = string(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is “{value}”. Write one of: {', '.join(allowed)}.")
    return value


def strings(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in string(name, default).split(",") if word.strip()]


def url(name: str, default: str, schemes: tuple[str, ...]) -> SplitResult:
    value = string(name, default)
    parts = urlsplit(value)
    if parts.scheme not in schemes:
        raise ImproperlyConfigured(
            f"{name} must begin with {' or '.join(f'{s}://' for s in schemes)}."
        )
    return parts


def port_of(name: str, parts: SplitResult, default: int) -> int:
    try:
        return parts.port or default
    except ValueError as bad:
        raise ImproperlyConfigured(
            f"{name} has a port that is not a number from 1 to 65535."
        ) from bad


def database(name: str, default: str) -> dict[str, Any]:
    parts = url(name, default, ("sqlite", "postgresql"))
    if parts.scheme == "sqlite":
        if parts.netloc or not parts.path.strip("/"):
            raise ImproperlyConfigured(
                f"{name} names no file. Write sqlite:///folder/portal.sqlite3."
            )
        return sqlite(Path(parts.path))
    if not parts.path.strip("/"):
        raise ImproperlyConfigured(
            f"{name} names no database. Write postgresql://user:password@host:5432/database."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(port_of(name, parts, 5432)),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "connect_timeout": 5,
            # Rows lie in memory or on an SSD: with the default of 4, made for turning disks, it
            # reads the whole table of players for the names on one page.
            "options": "-c random_page_cost=1.1",
            **dict(parse_qsl(parts.query, keep_blank_values=True)),
        },
    }


def sqlite(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # secure_delete: what was erased is overwritten in the file too, not only marked as free
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA "
            "foreign_keys=ON; "
            # recursive_triggers: REPLACE fires those of the row that it deletes
            "PRAGMA secure_delete=ON; PRAGMA recursive_triggers=ON;",
        },
    }


def page_cache(redis_url: str) -> dict[str, Any]:
    """Shared through Redis, else in the memory of each process. Keys of old versions are never
    read again and expire after a minute, so no name of an erased person stays."""
    if not redis_url:
        backend = "django.core.cache.backends.locmem.LocMemCache"
        return {
            "BACKEND": backend,
            "LOCATION": "pages",
            "TIMEOUT": 60,
            "OPTIONS": {"MAX_ENTRIES": 500},
        }
    # A page can be made without it: no long waiting, no second try
    patience = {
        "socket_timeout": 0.5,
        "socket_connect_timeout": 0.5,
        "retry": Retry(NoBackoff(), 0),
        "serializer": "pergioco.core.page_cache.PageSerializer",
    }
    backend = "django.core.cache.backends.redis.RedisCache"
    return {
        "BACKEND": backend,
        "LOCATION": redis_url,
        "KEY_PREFIX": "pages",
        "TIMEOUT": 60,
        "OPTIONS": patience,
    }
