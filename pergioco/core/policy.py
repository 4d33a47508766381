"""Who may do what. A system check refuses views that do not declare their roles."""

from collections.abc import Callable, Collection
from enum import StrEnum
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlencode

from allauth.account.decorators import reauthentication_required
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.core.models import User

Anyone = User | AnonymousUser
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class Role(StrEnum):
    """The value is the name of the Django group that grants the role."""

    PLAYER = "player"
    ORGANIZER = "organizer"
    BIG_ORGANIZER = "big_organizer"
    RISIKO_DIRECTOR = "risiko_director"
    STAFF = "staff"
    SUPERUSER = "superuser"


ROLE_LABELS = {
    Role.PLAYER: _("player"),
    Role.ORGANIZER: _("organizer of PerGioco stages"),
    Role.BIG_ORGANIZER: _("organizer of BIG tournaments"),
    Role.RISIKO_DIRECTOR: _("director of RisiKo! Masters"),
    Role.STAFF: _("federation staff"),
    Role.SUPERUSER: _("superuser"),
}
GRANTED_BY_GROUP = (Role.ORGANIZER, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR, Role.STAFF)
# The largest body that a view reads. What is longer is refused before anything of it is read.
FORM_BYTES = 64 * 1024
IMPORT_BYTES = 2_250_000  # a file of 2 MB and the form around it
# They write results or read e-mail addresses and birth dates, so two factors are mandatory.
TWO_FACTOR_ROLES = frozenset({*GRANTED_BY_GROUP, Role.SUPERUSER})
DESK = TWO_FACTOR_ROLES
# The results grid of a stage is an admin view (same permissions, same log), so organizers of stages
# come in too. What they see there is decided by model permissions, and those belong to the staff
# group.
ADMIN_ROLES = frozenset({Role.ORGANIZER, Role.STAFF, Role.SUPERUSER})


def roles_of(user: Anyone) -> frozenset[Role]:
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    names = user.group_names
    granted = {role for role in GRANTED_BY_GROUP if role in names}
    if user.is_superuser:
        granted |= {Role.SUPERUSER, Role.STAFF}
    return frozenset({Role.PLAYER, *granted})


def label_roles(roles: Collection[str]) -> list[str | Promise]:
    """In the order of the roles; every login is a player's, so that one is left out."""
    return [ROLE_LABELS[role] for role in Role if role in roles and role != Role.PLAYER]


def has_role(user: Anyone, *roles: Role) -> bool:
    return not roles_of(user).isdisjoint(roles)


def needs_two_factors(user: Anyone) -> bool:
    return has_role(user, *TWO_FACTOR_ROLES)


def has_two_factors(user: User) -> bool:
    # Recovery codes alone, left over from a removed factor, do not count
    return bool(is_mfa_enabled(user, types=[Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]))


def may_enter(user: Anyone, *roles: Role) -> bool:
    # A page that also serves players asks them for no second factor
    hats = roles_of(user) & frozenset(roles)
    return bool(hats - TWO_FACTOR_ROLES) or (
        bool(hats) and isinstance(user, User) and has_two_factors(user)
    )


def deny_access(request: HttpRequest, *roles: Role) -> HttpResponseBase:
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not has_role(request.user, *roles):
        raise PermissionDenied
    # The user returns with a GET: a form must be filled in again.
    query = urlencode({REDIRECT_FIELD_NAME: request.get_full_path()})
    return HttpResponseRedirect(f"{reverse('two-factors-needed')}?{query}")


def allow(*roles: Role) -> Callable[[View], View]:
    """Serves these roles; others must sign in or get a 403."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not may_enter(request.user, *roles):
                return deny_access(request, *roles)
            return view(request, *args, **kwargs)

        guarded.allowed = frozenset(roles)  # type: ignore[attr-defined]
        return guarded  # type: ignore[return-value]

    return decorate


def everyone(view: View) -> View:
    """Serves everyone, signed in or not."""
    view.allowed = frozenset()  # type: ignore[attr-defined]
    return view


def takes_up_to(size: int) -> Callable[[View], View]:
    """For a view whose body may be larger than that of an ordinary form."""

    def decorate(view: View) -> View:
        view.largest_body = size  # type: ignore[attr-defined]
        return view

    return decorate


def require_reauthentication(view: View) -> View:
    # Only for what the view changes: reading the page needs no fresh login
    return reauthentication_required(allow_get=True)(view)  # type: ignore[no-any-return]


class UserRequest(HttpRequest):
    """The type of the request behind `@allow`. Only an annotation, never instantiated."""

    user: User


def user_or_none(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def signed_in_user(request: HttpRequest) -> User:
    """For signatures that are not ours (the admin's), or views that serve visitors too."""
    assert isinstance(request.user, User)
    return request.user
