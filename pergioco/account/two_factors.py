"""Why some roles need a second factor, and the way to set one up and come back."""

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from pergioco.account.accounts import person_signed_in
from pergioco.players.policy import LABELS, TWO_FACTOR_ROLES, Role, allow, has_two_factors, roles_of

BACK_TO = "after_two_factors"  # in the session: allauth's pages stand in between
WAYS = {"app": "mfa_activate_totp", "passkey": "mfa_add_webauthn"}


@allow(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def needed(request: HttpRequest) -> HttpResponse:
    user = person_signed_in(request)
    if has_two_factors(user):
        address = way_back(request)
        request.session.pop(BACK_TO, None)  # like a message: told once
        return redirect(address or "mfa_index")
    if request.POST.get("way") in WAYS:
        request.session[BACK_TO] = way_back(request)
        return redirect(WAYS[request.POST["way"]])
    roles = [LABELS[role] for role in Role if role in roles_of(user) & TWO_FACTOR_ROLES]
    return render(request, "me/two_factors_needed.html", {"roles": roles, "back_to": way_back(request)})


def way_back(request: HttpRequest) -> str:
    """Where one came from, if it is a page of ours."""
    asked = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME)
    address = str(asked or request.session.get(BACK_TO, ""))
    is_ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if is_ours else ""
