"""For the phones in the hall: the clock of the game, and “I am here”."""

from datetime import timedelta
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.players.models import Player, User
from pergioco.players.policy import Role, allow, everyone
from pergioco.players.refusal import Refused
from pergioco.stages.drafting import draft_of
from pergioco.stages.models import Stage
from pergioco.website.masters.views import stage_called
from risiko_master import clock as clocks
from risiko_master import presence, today

UNFIT = 422
MILLISECOND = timedelta(milliseconds=1)


@everyone
@never_cache
@require_safe
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """What the pages of the hall ask every half minute; the mark tells them that there is more to see."""
    stage = stage_called(slug)
    rounds = today.played(draft_of(stage))
    shown = clocks.read(stage, rounds[-1].number) if rounds else None
    told: dict[str, Any] = {"state": shown.state if shown else "", "left_ms": shown.left // MILLISECOND if shown else 0}
    return JsonResponse({**told, "mark": today.mark(rounds, shown)})


@allow(Role.PLAYER)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def here(request: HttpRequest, token: str) -> HttpResponse:
    """Who frames the code on the wall is in the hall; who has signed in is known. The button says it."""
    stage, user = presence.stage_behind(token), cast("User", request.user)
    if stage is None:
        raise Http404
    player = getattr(getattr(user, "person", None), "player", None)
    refusal = ""
    if request.method == "POST":
        try:
            say_here(stage, player, user)
        except Refused as refused:
            refusal = str(refused.sentence)
        else:
            messages.success(request, _("You are checked in. Good luck!"))
            return redirect("risiko-here", token)
    values = {"stage": stage, "player": player, "refusal": refusal, "is_here": is_here(stage, player)}
    return render(request, "website/masters/here.html", values, status=UNFIT if refusal else 200)


def is_here(stage: Stage, player: Player | None) -> bool:
    return player is not None and stage.entries.filter(player=player).exclude(presence=None).exists()


def say_here(stage: Stage, player: Player | None, user: User) -> None:
    """Who is not entered yet goes to the desk: it knows how many can still be seated."""
    if player is None:
        raise Refused(_("This login has no player: go to the desk of the Master."))
    entry = stage.entries.select_related("stage", "player").filter(player=player).first()
    if entry is None:
        raise Refused(_("You are not entered in this Master: go to its desk."))
    if presence.is_drawn(stage):
        raise Refused(_("The tables are drawn already: go to the desk of the Master."))
    presence.check_in(entry, by=user)
