"""Granting and withdrawing roles; ending sessions."""

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.policy import ADMIN_ROLES, GRANTED_BY_GROUP, ROLE_LABELS, Role, has_role
from pergioco.core.refusal import Refused

# Staff is given by superusers only; superusers are made on the server.
GRANTED_BY_STAFF = frozenset({Role.ORGANIZER, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR})


def grantable_by(user: User) -> list[Role]:
    may = (
        frozenset(GRANTED_BY_GROUP)
        if user.is_superuser
        else GRANTED_BY_STAFF
        if has_role(user, Role.STAFF)
        else frozenset()
    )
    return [role for role in GRANTED_BY_GROUP if role in may]


@transaction.atomic
def grant_role(role: Role, *, to: User, by: User, reason: str) -> None:
    user = lock_login(role, to, by)
    if role in user.group_names:
        raise Refused(
            _("%(email)s has this role already.") % {"email": user.email},
            "role",
            rule="roles.grant_role",
        )
    if not EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists():
        raise Refused(
            _("This address was never confirmed: its owner must do that first."),
            "email",
            rule="roles.grant_role",
        )
    user.groups.add(Group.objects.get(name=role))
    record_role_change(user, "role.granted", role, by=by, reason=reason)


@transaction.atomic
def withdraw_role(role: Role, *, user: User, by: User, reason: str) -> None:
    user = lock_login(role, user, by)
    if role not in user.group_names:
        raise Refused(
            _("%(email)s does not have this role.") % {"email": user.email},
            "role",
            rule="roles.withdraw_role",
        )
    user.groups.remove(Group.objects.get(name=role))
    record_role_change(user, "role.withdrawn", role, by=by, reason=reason)


def lock_login(role: Role, user: User, by: User) -> User:
    if role not in grantable_by(by):
        raise Refused(
            _("“%(role)s” is not yours to give or take.") % {"role": ROLE_LABELS[role]},
            "role",
            rule="roles.lock_login",
        )
    if user.pk == by.pk:
        raise Refused(
            _("Nobody changes their own roles: ask a colleague."), "email", rule="roles.lock_login"
        )
    user = lock_row(user)
    if not user.is_active:
        raise Refused(_("This login is closed."), "email", rule="roles.lock_login")
    return user


def record_role_change(user: User, action: str, role: Role, *, by: User, reason: str) -> None:
    fresh = User.objects.get(pk=user.pk)
    User.objects.filter(pk=user.pk).update(is_staff=has_role(fresh, *ADMIN_ROLES))
    end_sessions(fresh)
    changes = {"role": ["", role] if action == "role.granted" else [role, ""]}
    person = getattr(fresh, "person", None)
    audit.record(
        action,
        fresh,
        by=by,
        player=person.player if person else None,
        changes=changes,
        before={"role": changes["role"][0]},
        after={"role": changes["role"][1]},
        reason=reason,
    )


@transaction.atomic
def end_sessions(user: User) -> int:
    """Returns how many there were."""
    rows = UserSession.objects.filter(user=user)
    keys = list(rows.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    rows.delete()
    return len(keys)
