"""Codes for a hall full of people who register from one address."""

from typing import cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import UseCaseForm
from pergioco.players import event_codes
from pergioco.players.form_fields import MomentField
from pergioco.players.models import EventCode, User
from pergioco.players.policy import Role, allow
from pergioco.players.qr import qr_of

PER_PAGE = 50


class CodeForm(UseCaseForm):
    note = forms.CharField(label=gettext_lazy("What it is for"), max_length=200)
    valid_from = MomentField(label=gettext_lazy("Valid from"))
    valid_to = MomentField(label=gettext_lazy("Valid until"))
    uses = forms.IntegerField(
        label=gettext_lazy("How many people"), min_value=1, max_value=event_codes.MOST_USES, initial=64
    )


def link_of(code: EventCode) -> str:
    return settings.PUBLIC_URL.geturl().rstrip("/") + reverse("register") + "?" + urlencode({"event": code.code})


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def codes(request: HttpRequest) -> HttpResponse:
    by = cast("User", request.user)
    form = CodeForm(request.POST or None)
    if form.carries_out(event_codes.make, by=by):
        messages.success(request, _("The code is made. Its link is in the list."))
        return redirect("desk-event-codes")
    rows = event_codes.managed_by(by).select_related("created_by")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    now = timezone.now()
    listed = [(code, link_of(code), code.is_open(now)) for code in page]
    return render(request, "desk/event_codes.html", {"form": form, "page": page, "listed": listed, "now": now})


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, number: int) -> HttpResponse:
    """The slip for the wall of the hall, and the button that closes the code early."""
    by = cast("User", request.user)
    code = get_object_or_404(event_codes.managed_by(by), pk=number)
    if request.method == "POST":
        event_codes.close(code, by=by)
        messages.success(request, _("The code is closed: nobody can use it any more."))
        return redirect("desk-event-codes")
    link = link_of(code)
    values = {"code": code, "link": link, "qr": qr_of(link), "is_open": code.is_open(timezone.now())}
    return render(request, "desk/event_code.html", values)
