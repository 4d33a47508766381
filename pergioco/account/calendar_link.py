"""The address of my own calendar, for apps that cannot sign in: made and taken back from my account."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from pergioco.account.accounts import my_player, person_signed_in
from pergioco.players import calendar_links
from pergioco.players.models import Player
from pergioco.players.policy import Role, allow


def address_of(player: Player) -> str | None:
    link = getattr(player, "calendar_link", None)
    if link is None:
        return None
    path = reverse("calendar-mine", args=[calendar_links.token(link)])
    return settings.PUBLIC_URL.geturl().rstrip("/") + path


def whose(request: HttpRequest) -> Player:
    player = my_player(request)
    if player is None:
        raise Http404
    return player


@allow(Role.PLAYER)
@require_POST
def make(request: HttpRequest) -> HttpResponse:
    calendar_links.make(whose(request), by=person_signed_in(request))
    messages.success(request, _("Your calendar has a new address. Add it to your calendar app."))
    return redirect(reverse("me") + "#calendar")


@allow(Role.PLAYER)
@require_POST
def take_back(request: HttpRequest) -> HttpResponse:
    calendar_links.take_back(whose(request), by=person_signed_in(request))
    messages.success(request, _("The address of your calendar leads nowhere from now on."))
    return redirect(reverse("me") + "#calendar")
