"""The calendar of national finals, and the page of one: where, when, how, and who has a seat."""

from typing import Any, cast

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from big_league.finals import answering
from big_league.finals.models import Final
from big_league.finals.seating import course_of
from big_league.rules.convocation import Convocation
from pergioco.players.models import Player, User
from pergioco.players.models.people import naming
from pergioco.players.naming import shown_by
from pergioco.players.policy import Role, allow, everyone
from pergioco.players.refusal import Refused
from pergioco.players.rules.publication import BIG
from pergioco.stages.models import Stage
from pergioco.website.big_events.events import MAP
from pergioco.website.people.big import champions_of, finals_won


@everyone
@require_safe
def finals(request: HttpRequest) -> HttpResponse:
    """Those to come, the nearest first; then every champion."""
    now = timezone.now()
    coming = Final.objects.listed().filter(starts_at__gte=now).exclude(stage__status=Stage.Status.CANCELLED)
    values = {"coming": coming.order_by("starts_at", "pk"), "champions": champions_of(finals_won(Q()))}
    return render(request, "website/big_finals/list.html", values)


@everyone
@require_safe
def final(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Final.objects.listed(), stage__slug=slug)
    return render(request, "website/big_finals/final.html", values_of(found, request))


def values_of(found: Final, request: HttpRequest) -> dict[str, Any]:
    course = course_of(found)
    taken = list(found.taken.select_related(*naming("player")))
    shown_by(BIG, (seat.player for seat in taken))
    return {
        "final": found,
        "stage": found.stage,
        "taken": taken,
        "free": found.seats - len(taken),
        "course": course,
        "map_link": f"{MAP}?{urlencode({'query': f'{found.address}, {found.city}'})}",
        "may_ask": may_ask(found, course, request),
    }


def may_ask(found: Final, course: Convocation, request: HttpRequest) -> bool:
    """Whoever is signed in, was not called, and has not asked yet."""
    player = Player.objects.filter(person__user=request.user).first() if request.user.is_authenticated else None
    if player is None or not found.takes_answers:
        return False
    known = {*course.asking, *course.seated}
    return player.pk not in known and not found.called.filter(player=player).exists()


@allow(Role.PLAYER)
@require_POST
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Final.objects.listed(), stage__slug=slug)
    user = cast("User", request.user)
    player = Player.objects.filter(person__user=user).first()
    if player is None:
        messages.error(request, _("Register as a player first."))
        return redirect(found)
    try:
        answering.ask(found, player, by=user)
    except Refused as refusal:
        messages.error(request, str(refusal.sentence))
    else:
        messages.success(request, _("BIG has your request. If a seat stays free, we write to you."))
    return redirect(found)
