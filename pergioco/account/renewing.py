"""Whoever types the password again gets another session: one that somebody saw before is worth nothing from then on."""

from typing import Any

from allauth.account.signals import authentication_step_completed
from django.http import HttpRequest


def listen() -> None:
    authentication_step_completed.connect(renew, dispatch_uid="renew")


def renew(*, request: HttpRequest, reauthenticated: bool = False, **_: Any) -> None:
    """At a sign-in Django does the same by itself."""
    if reauthenticated:
        request.session.cycle_key()
