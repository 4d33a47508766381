"""One line in the log for whatever a login does or suffers: by its number, never by name or address."""

import logging
from functools import partial
from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as factors
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.dispatch import Signal

from pergioco.players.models import User

log = logging.getLogger("pergioco.sign_in")
TOLD: dict[str, Signal] = {
    "signed up": account.user_signed_up,
    "signed in": account.user_logged_in,
    "signed out": user_logged_out,
    "changed the password": account.password_changed,
    "got a new password by mail": account.password_reset,
    "changed the address": account.email_changed,
    "added a second factor": factors.authenticator_added,
    "took a second factor away": factors.authenticator_removed,
    "made new recovery codes": factors.authenticator_reset,
}


def listen() -> None:
    for what, signal in TOLD.items():
        signal.connect(partial(tell, what), weak=False, dispatch_uid=what)
    factors.authentication_failed.connect(partial(warn, "gave a wrong second factor"), weak=False, dispatch_uid="wrong")
    user_login_failed.connect(tell_of_a_failure, dispatch_uid="failed")


def tell(what: str, *, user: AbstractBaseUser | None, **_: Any) -> None:
    log.info("login %s %s", user.pk if user else "unknown", what)


def warn(what: str, *, user: AbstractBaseUser, **_: Any) -> None:
    log.warning("login %s %s", user.pk, what)


def tell_of_a_failure(*, credentials: dict[str, Any], **_: Any) -> None:
    """Whether there is such a login or not, the same work is done."""
    known = User.objects.filter(email__iexact=credentials.get("email") or "").values_list("pk", flat=True).first()
    log.warning("login %s was tried with a wrong password", known or "unknown")
