"""Users of the demo, their common password and second factors."""

import time
from base64 import b32decode
from typing import NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.conf import settings
from django.contrib.auth.models import Group

from pergioco.core.models import User
from pergioco.core.policy import ADMIN_ROLES, Role

PASSWORD = "dadi-pedine-e-carte"  # noqa: S105 - printed at every start of the demo


class Login(NamedTuple):
    email: str
    role: Role
    key: str  # of the second factor: 32 characters of base 32; empty: none
    who: str


LOGINS = (
    Login("player@example.org", Role.PLAYER, "", "a player"),
    Login(
        "organizer@example.org",
        Role.ORGANIZER,
        "ORGANIZERAAAAAAAAAAAAAAAAAAAAAAA",
        "an organizer of stages",
    ),
    Login(
        "big@example.org",
        Role.BIG_ORGANIZER,
        "BIGAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "an organizer of BIG tournaments",
    ),
    Login(
        "risiko@example.org",
        Role.RISIKO_DIRECTOR,
        "RISIKOAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "a director of RisiKo! Masters",
    ),
    Login(
        "staff@example.org",
        Role.STAFF,
        "STAFFAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "the federation's staff",
    ),
    Login(
        "staff2@example.org",
        Role.STAFF,
        "SECONDSTAFFAAAAAAAAAAAAAAAAAAAAA",
        "the second of the staff",
    ),
    Login("super@example.org", Role.SUPERUSER, "SUPERUSERAAAAAAAAAAAAAAAAAAAAAAA", "a superuser"),
)
FACTOR_KEYS = {login.email: login.key for login in LOGINS if login.key}


def write_logins() -> dict[str, User]:
    """Users by e-mail address."""
    return {login.email: write_login(login) for login in LOGINS}


def write_login(login: Login) -> User:
    make = (
        User.objects.create_superuser if login.role == Role.SUPERUSER else User.objects.create_user
    )
    user = make(login.email, PASSWORD, language="it")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    if login.role not in {Role.PLAYER, Role.SUPERUSER}:
        user.groups.add(Group.objects.get(name=login.role))
        User.objects.filter(pk=user.pk).update(is_staff=login.role in ADMIN_ROLES)
    if login.key:
        data = {"secret": encrypt(login.key)}
        Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data=data)
    return user


def code_for(email: str) -> str:
    """The current code, only in the demo and only for its invented logins; else empty."""
    key = FACTOR_KEYS.get(email, "")
    if not settings.DEMO or not key:
        return ""
    totp = TOTP(b32decode(key), app_settings.TOTP_DIGITS, SHA1(), app_settings.TOTP_PERIOD)  # noqa: S303 - RFC 6238  # nosec B303
    return totp.generate(int(time.time())).decode()
