"""My account: what I must do, then what the portal knows and where I change it."""

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from pergioco.account import attention, calendar_link
from pergioco.account.accounts import person_signed_in
from pergioco.players.letters import write_in
from pergioco.players.membership import join_big
from pergioco.players.models import Player, User
from pergioco.players.policy import LABELS, Role, allow, has_two_factors, roles_of


def with_everything(user: User) -> Player | None:
    players = Player.objects.select_related("person__user", "registration", "membership", "calendar_link")
    related = ("accounts__nicknames", "claims", "disqualifications", "sanctions")
    return players.prefetch_related(*related).filter(person__user=user).first()


@allow(Role.PLAYER)
@require_safe
def me(request: HttpRequest) -> HttpResponse:
    user = person_signed_in(request)
    player = with_everything(user)
    context = {
        "player": player,
        "calendar": calendar_link.address_of(player) if player else None,
        "tasks": attention.tasks(user, player),
        "news": attention.news(player, timezone.localdate()) if player else [],
        "roles": [LABELS[role] for role in Role if role in roles_of(user) and role != Role.PLAYER],
        "has_two_factors": has_two_factors(user),
        "sessions": UserSession.objects.filter(user=user).count(),
    }
    return render(request, "me/overview.html", context)


@allow(Role.PLAYER)
@require_POST
def join(request: HttpRequest) -> HttpResponse:
    user = person_signed_in(request)
    player = Player.objects.filter(person__user=user).first()
    if player is None:
        raise Http404
    join_big(player, by=user)
    messages.success(request, _("You are a member of Board Italian Gamers."))
    return redirect("me")


@allow(Role.PLAYER)
@require_POST
def write_in_this_language(request: HttpRequest) -> HttpResponse:
    write_in(get_language() or "", person_signed_in(request))
    messages.success(request, _("From now on we write to you in this language."))
    return redirect("me")
