"""Somebody will not play on: the page names who takes the seat and the rule, before anything is written."""

from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import ButtonForm
from pergioco.desk.masters.listed import WHO, own_master
from pergioco.desk.masters.room import Room
from pergioco.players.models import User
from pergioco.players.policy import allow
from pergioco.stages.models import Stage
from risiko_master import renouncing
from risiko_master.renouncing_words import sentences

UNFIT = 422


@dataclass(frozen=True)
class Choice:
    player: int
    name: str
    is_direct: bool


@allow(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def renounce(request: HttpRequest, slug: str) -> HttpResponse:
    """First who, then what follows, then the button."""
    stage, by = own_master(request, slug), cast("User", request.user)
    room = Room(stage)
    choices = choices_of(stage, room)
    player = player_in(request, choices)
    form = ButtonForm(request.POST or None)
    if player is not None and form.carries_out(lambda: renouncing.renounce(stage, player, by=by)):
        messages.success(request, _("%(name)s has renounced.") % {"name": room.names[player]})
        return redirect("risiko-control", stage.slug)
    values: dict[str, Any] = {"stage": stage, "room": room, "choices": choices, "form": form}
    if player is not None:
        values |= {"player": player, "name": room.names[player], "words": words(stage, room, player)}
    return render(request, "desk/masters/renounce.html", values, status=UNFIT if form.errors else 200)


def choices_of(stage: Stage, room: Room) -> list[Choice]:
    if room.day is None:
        return []
    direct = room.day.field.direct
    return [Choice(p, room.names[p], p in direct) for p in renouncing.may_renounce(stage, room.day)]


def player_in(request: HttpRequest, choices: list[Choice]) -> int | None:
    text = request.POST.get("player") or request.GET.get("player", "")
    if not text:
        return None
    found = next((one.player for one in choices if str(one.player) == text), None)
    if found is None:
        raise Http404
    return found


def words(stage: Stage, room: Room, player: int) -> list[str | Promise]:
    assert room.day is not None
    return sentences(renouncing.consequence(stage, room.day, player), room.names)
