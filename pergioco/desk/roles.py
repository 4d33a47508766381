"""Who has which role at the desk."""

from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import ReasonField, UseCaseForm
from pergioco.players import roles
from pergioco.players.models import User
from pergioco.players.policy import GRANTED_BY_GROUP, LABELS, Role, allow, asks_again
from pergioco.players.refusal import Refused

PER_PAGE = 50


class RoleForm(UseCaseForm):
    email = forms.EmailField(label=gettext_lazy("E-mail of the login"))
    role = forms.ChoiceField(label=gettext_lazy("Role"), widget=forms.RadioSelect)
    reason = ReasonField()

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ChoiceField", self.fields["role"])
        field.choices = [(role.value, LABELS[role]) for role in roles.grantable_by(by)]


def change(*, email: str, role: str, reason: str, by: User, step: str) -> None:
    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        raise Refused(_("Nobody signs in with this address. They must make a login first."), "email")
    if step == "withdraw":
        roles.withdraw(Role(role), user=user, by=by, reason=reason)
    else:
        roles.grant(Role(role), to=user, by=by, reason=reason)


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def holders(request: HttpRequest) -> HttpResponse:
    by, step = cast("User", request.user), request.POST.get("step", "")
    form = RoleForm(request.POST or None, by=by, initial={"email": request.GET.get("email", "")})
    if step in {"grant", "withdraw"} and form.carries_out(partial(change, by=by, step=step)):
        messages.success(request, _("Done. Who it concerns is signed out, and signs in again with the new role."))
        return redirect("desk-roles")
    users = User.objects.filter(Q(is_superuser=True) | Q(groups__name__in=GRANTED_BY_GROUP)).distinct()
    rows = users.select_related("person").prefetch_related("groups").order_by("email")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/roles.html", {"form": form, "page": page, "holders": [Holder(u) for u in page]})


class Holder:
    """One row of the list; roles come from the prefetched groups, not from one query a row."""

    def __init__(self, user: User) -> None:
        names = {group.name for group in user.groups.all()} | ({Role.SUPERUSER} if user.is_superuser else set())
        self.user = user
        self.labels = [LABELS[role] for role in Role if role in names]
