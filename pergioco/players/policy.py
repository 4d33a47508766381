"""Who may do what: the one place. Every view says here which roles it serves, or the portal does not start."""

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from pergioco.players.models import User

Anyone = User | AnonymousUser
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class Role(StrEnum):
    """The value is the name of the Django group that gives the role."""

    PLAYER = "player"
    ORGANIZER = "organizer"
    BIG_ORGANIZER = "big_organizer"
    RISIKO_DIRECTOR = "risiko_director"
    STAFF = "staff"
    SUPERUSER = "superuser"


LABELS = {
    Role.PLAYER: _("player"),
    Role.ORGANIZER: _("organizer of PerGioco stages"),
    Role.BIG_ORGANIZER: _("organizer of BIG tournaments"),
    Role.RISIKO_DIRECTOR: _("director of RisiKo! Masters"),
    Role.STAFF: _("federation staff"),
    Role.SUPERUSER: _("superuser"),
}
GRANTED_BY_GROUP = (Role.ORGANIZER, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR, Role.STAFF)
# They write results or read e-mail addresses and birth dates: two factors are mandatory.
TWO_FACTOR_ROLES = frozenset({*GRANTED_BY_GROUP, Role.SUPERUSER})
DESK = TWO_FACTOR_ROLES
# The results grid of a stage is an admin view (same permissions, same log), so organizers of stages come in too.
# What they see there is decided by model permissions, and those belong to the staff group.
ADMIN_ROLES = frozenset({Role.ORGANIZER, Role.STAFF, Role.SUPERUSER})


def roles_of(user: Anyone) -> frozenset[Role]:
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    names = user.group_names
    granted = {role for role in GRANTED_BY_GROUP if role in names}
    if user.is_superuser:
        granted |= {Role.SUPERUSER, Role.STAFF}
    return frozenset({Role.PLAYER, *granted})


def has_role(user: Anyone, *roles: Role) -> bool:
    return not roles_of(user).isdisjoint(roles)


def needs_two_factors(user: Anyone) -> bool:
    return has_role(user, *TWO_FACTOR_ROLES)


def has_two_factors(user: User) -> bool:
    """An authenticator or a passkey. Recovery codes alone, left over from a factor that is gone, are not enough."""
    from allauth.mfa.models import Authenticator
    from allauth.mfa.utils import is_mfa_enabled

    return bool(is_mfa_enabled(user, types=[Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]))


def may_enter(user: Anyone, *roles: Role) -> bool:
    """By one of these roles, and by no other. A page that serves players too asks them for no second factor."""
    hats = roles_of(user) & frozenset(roles)
    return bool(hats - TWO_FACTOR_ROLES) or (bool(hats) and isinstance(user, User) and has_two_factors(user))


def turn_away(request: HttpRequest, *roles: Role) -> HttpResponseBase:
    """What those hear who may not enter: sign in; or make yourself safe first; or this is not your page."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not has_role(request.user, *roles):
        raise PermissionDenied
    # Coming back with a GET: what a form held is asked for again.
    query = urlencode({REDIRECT_FIELD_NAME: request.get_full_path()})
    return HttpResponseRedirect(f"{reverse('two-factors-needed')}?{query}")


def allow(*roles: Role) -> Callable[[View], View]:
    """Serves these roles: others are asked to sign in, or told that the page is not theirs."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not may_enter(request.user, *roles):
                return turn_away(request, *roles)
            return view(request, *args, **kwargs)

        guarded.allowed = frozenset(roles)  # type: ignore[attr-defined]
        return guarded  # type: ignore[return-value]

    return decorate


def everyone(view: View) -> View:
    """Serves anybody, signed in or not."""
    view.allowed = frozenset()  # type: ignore[attr-defined]
    return view


def asks_again(view: View) -> View:
    """What weighs is done only by somebody who has just proved again who they are; looking at the page is free."""
    from allauth.account.decorators import reauthentication_required

    return reauthentication_required(allow_get=True)(view)  # type: ignore[no-any-return]
