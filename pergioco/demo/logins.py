"""Who can sign in to the demo, with one password that everybody may know."""

from typing import NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import Group

from pergioco.players.models import User
from pergioco.players.policy import ADMIN_ROLES, Role

PASSWORD = "dadi-pedine-e-carte"  # noqa: S105 - printed at every start of the demo


class Login(NamedTuple):
    email: str
    role: Role
    key: str  # of the second factor: 32 characters of base 32; empty: none
    who: str


LOGINS = (
    Login("player@example.org", Role.PLAYER, "", "a player"),
    Login("organizer@example.org", Role.ORGANIZER, "ORGANIZERAAAAAAAAAAAAAAAAAAAAAAA", "an organizer of stages"),
    Login("big@example.org", Role.BIG_ORGANIZER, "BIGAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "an organizer of BIG tournaments"),
    Login(
        "risiko@example.org", Role.RISIKO_DIRECTOR, "RISIKOAAAAAAAAAAAAAAAAAAAAAAAAAA", "a director of RisiKo! Masters"
    ),
    Login("staff@example.org", Role.STAFF, "STAFFAAAAAAAAAAAAAAAAAAAAAAAAAAA", "the federation's staff"),
    Login("staff2@example.org", Role.STAFF, "SECONDSTAFFAAAAAAAAAAAAAAAAAAAAA", "the second of the staff"),
    Login("super@example.org", Role.SUPERUSER, "SUPERUSERAAAAAAAAAAAAAAAAAAAAAAA", "a superuser"),
)
KEYS = {login.email: login.key for login in LOGINS if login.key}


def write() -> dict[str, User]:
    """Users by e-mail address."""
    return {login.email: write_one(login) for login in LOGINS}


def write_one(login: Login) -> User:
    make = User.objects.create_superuser if login.role == Role.SUPERUSER else User.objects.create_user
    user = make(login.email, PASSWORD, language="it")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    if login.role not in {Role.PLAYER, Role.SUPERUSER}:
        user.groups.add(Group.objects.get(name=login.role))
        User.objects.filter(pk=user.pk).update(is_staff=login.role in ADMIN_ROLES)
    if login.key:
        TOTP.activate(user, login.key)
    return user
