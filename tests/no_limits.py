"""Every limit off: the portal's own and those of allauth."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from django.test import override_settings

OFF = {"ACCOUNT_RATE_LIMITS": False, "MFA_RATE_LIMITS": False}


@contextmanager
def no_limits() -> Iterator[None]:
    with override_settings(**OFF), mock.patch("pergioco.core.limits.add_hit", return_value=True):
        yield
