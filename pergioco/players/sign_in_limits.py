"""How often a password may be tried: guesses end, and the owner still gets in.

In a browser that is not known, a try counts for the connection, for the login from this connection,
and over a day for the login from anywhere. In a known one it counts for the login there alone:
strangers cannot use up what it has. A login that does not exist counts like one that does.
"""

from dataclasses import dataclass

from django.http import HttpRequest

from pergioco.core import known_devices, limits
from pergioco.core.models import User

TRIES_HERE = "sign-in", "30/m/ip"  # each costs a hash, right or wrong
WRONG_HERE = "wrong-password-here", "10/m/ip"
WRONG_FOR_LOGIN_HERE = "wrong-password", "5/5m/key"
WRONG_FOR_LOGIN = "wrong-password-anywhere", "50/d/key"


@dataclass(frozen=True)
class Try:
    """What a try counts for, unless the password is right: action, rate, source."""

    counts: tuple[tuple[str, str, str], ...]

    def rollback(self) -> None:  # allauth's name for it
        for count in self.counts:
            limits.take_back(*count)


def count_try(request: HttpRequest, email: str) -> Try | None:
    """None if it is one too many."""
    login = email.strip().lower()
    device, connection = name_device(request, login), limits.connection_of(request)
    if device:
        there = f"{login} {device}"
        counts = [(*WRONG_FOR_LOGIN_HERE, there), (*WRONG_FOR_LOGIN, there)]
    elif limits.consume(request, *TRIES_HERE, more_in_halls=True):
        counts = [
            (*WRONG_HERE, connection),
            (*WRONG_FOR_LOGIN_HERE, f"{login} {connection}"),
            (*WRONG_FOR_LOGIN, login),
        ]
    else:
        return None
    for number, (action, rate, source) in enumerate(counts):
        if not limits.consume(request, action, rate, key=source, more_in_halls=True):
            Try(tuple(counts[:number])).rollback()  # the password is not looked at
            return None
    return Try(tuple(counts))


def name_device(request: HttpRequest, login: str) -> str:
    """Of the browser that is known for this login; empty for others."""
    user = request.user
    if isinstance(user, User) and user.email.lower() == login:
        return f"session of {user.pk}"  # asked for the password again
    device = known_devices.find_device(request, login)
    return f"device {device.pk}" if device else ""


def forget_wrong_tries(request: HttpRequest, user: User) -> None:
    """After a new password by mail, whose owner proved to have the mailbox."""
    login = user.email.lower()
    limits.forget(*WRONG_FOR_LOGIN, login)
    limits.forget(*WRONG_FOR_LOGIN_HERE, f"{login} {limits.connection_of(request)}")
