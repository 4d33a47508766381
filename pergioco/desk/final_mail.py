"""The convocation mails: looked at in each language before they leave, and sent once."""

from dataclasses import dataclass
from typing import cast

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from big_league.finals import letters, sending
from big_league.finals.models import Final
from big_league.finals.standing import Standing
from pergioco.desk.finals import version_in
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Refused


@dataclass(frozen=True)
class Preview:
    language: str
    subject: str
    body: str


class Somebody:
    """Stands for whoever gets the mail."""

    first_name = "…"


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def mail(request: HttpRequest, number: int) -> HttpResponse:
    final = get_object_or_404(Final.objects.listed(), pk=number)
    which = sending.next_mail(final)
    if request.method == "POST":
        return send(request, final)
    values = {
        "final": final,
        "stage": final.stage,
        "mail": which,
        "recipients": sending.recipients(final, which),
        "previews": [
            (label, previews(final, which, standing, position)) for label, standing, position in samples(final, which)
        ],
    }
    return render(request, "desk/final_mail.html", values)


def send(request: HttpRequest, final: Final) -> HttpResponse:
    """Which mail is meant the form says."""
    which = {str(mail): mail for mail in sending.ACTS}.get(request.POST.get("mail", ""))
    try:
        if which is not None:
            sending.send(final, which, version=version_in(request), by=cast("User", request.user))
            messages.success(request, _("The mails are on their way."))
    except Refused as refusal:
        messages.error(request, str(refusal.sentence))
    return redirect("desk-final", final.pk)


def samples(final: Final, which: int) -> list[tuple[str, Standing, int]]:
    """Who reads what: one of the first, and a reserve."""
    first, reserve = _("One of the first"), _("A reserve")
    if which == letters.FIRST:
        return [(first, Standing.INVITED, 1), (reserve, Standing.RESERVE, final.seats + 1)]
    return [(first, Standing.OPEN, 1), (reserve, Standing.OPEN, final.seats + 1)]


def previews(final: Final, which: int, standing: Standing, position: int) -> list[Preview]:
    found = []
    for code, name in settings.LANGUAGES:
        with translation.override(code):
            values = {
                "final": final,
                "mail": which,
                "standing": standing,
                "position": position,
                "reserve": max(0, position - final.seats),
                "link": f"{settings.PUBLIC_URL.geturl().rstrip('/')}/{code}/f/…/",
                "person": Somebody,
            }
            text = render_to_string("mail/big_convocation.txt", values).strip()
        subject, _line, body = text.partition("\n")
        found.append(Preview(str(name), subject, body.strip()))
    return found
