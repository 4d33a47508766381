"""Giving roles to logins and taking them away."""

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext as _

from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.policy import ADMIN_ROLES, GRANTED_BY_GROUP, LABELS, Role, has_role
from pergioco.players.refusal import Refused
from pergioco.players.sessions import end_sessions

# Staff is given by superusers only; superusers are made on the server.
BY_STAFF = frozenset({Role.ORGANIZER, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR})


def grantable_by(user: User) -> list[Role]:
    """The roles that this user may give and take, in the order in which they are offered."""
    may = frozenset(GRANTED_BY_GROUP) if user.is_superuser else BY_STAFF if has_role(user, Role.STAFF) else frozenset()
    return [role for role in GRANTED_BY_GROUP if role in may]


@transaction.atomic
def grant(role: Role, *, to: User, by: User, reason: str) -> None:
    user = locked(role, to, by)
    if role in user.group_names:
        raise Refused(_("%(email)s has this role already.") % {"email": user.email}, "role")
    if not EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists():
        raise Refused(_("This address was never confirmed: its owner must do that first."), "email")
    user.groups.add(Group.objects.get(name=role))
    settle(user, "role.granted", role, by=by, reason=reason)


@transaction.atomic
def withdraw(role: Role, *, user: User, by: User, reason: str) -> None:
    user = locked(role, user, by)
    if role not in user.group_names:
        raise Refused(_("%(email)s does not have this role.") % {"email": user.email}, "role")
    user.groups.remove(Group.objects.get(name=role))
    settle(user, "role.withdrawn", role, by=by, reason=reason)


def locked(role: Role, user: User, by: User) -> User:
    """The login as it is now, if this role of it is the actor's to change."""
    if role not in grantable_by(by):
        raise Refused(_("“%(role)s” is not yours to give or take.") % {"role": LABELS[role]}, "role")
    if user.pk == by.pk:
        raise Refused(_("Nobody changes their own roles: ask a colleague."), "email")
    user = User.objects.select_for_update().get(pk=user.pk)
    if not user.is_active:
        raise Refused(_("This login is closed."), "email")
    return user


def settle(user: User, action: str, role: Role, *, by: User, reason: str) -> None:
    """After a change of role: the flag follows, every session ends, the log says who and why."""
    fresh = User.objects.get(pk=user.pk)
    User.objects.filter(pk=user.pk).update(is_staff=has_role(fresh, *ADMIN_ROLES))
    end_sessions(fresh)
    changes = {"role": ["", role] if action == "role.granted" else [role, ""]}
    person = getattr(fresh, "person", None)
    audit.record(action, fresh, by=by, player=person.player if person else None, changes=changes, reason=reason)
