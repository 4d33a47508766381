"""National finals in public: calendar, page of one, and the reply to a convocation."""

from functools import partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from big_league import links
from big_league.models import Answer, Final
from big_league.rules.convocation import Convocation
from big_league.services import final_seats
from big_league.services.final_seats import Reply, find_call_row, replay_answers
from big_league.views.public.events import map_link
from pergioco.core.forms import carry_out
from pergioco.core.limits import consume
from pergioco.core.policy import Role, UserRequest, allow, everyone, user_or_none
from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.players.models.people import naming_paths
from pergioco.players.queries.results import find_finals_won, load_champions
from pergioco.stages.models import Stage


@everyone
@require_safe
def finals_calendar(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    coming = (
        Final.objects.listed()
        .filter(starts_at__gte=now)
        .exclude(stage__status=Stage.Status.CANCELLED)
    )
    values = {
        "coming": coming.order_by("starts_at", "pk"),
        "champions": load_champions(find_finals_won(Q())),
    }
    return render(request, "big_league/finals/list.html", values)


@everyone
@require_safe
def final_page(request: HttpRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Final.objects.listed(), stage__slug=slug)
    return render(request, "big_league/finals/final.html", final_values(found, request))


def final_values(found: Final, request: HttpRequest) -> dict[str, Any]:
    course = replay_answers(found)
    taken = list(found.taken.select_related(*naming_paths("player")))
    return {
        "final": found,
        "stage": found.stage,
        "taken": taken,
        "free": found.seats - len(taken),
        "course": course,
        "map_link": map_link(found),
        "may_ask": may_ask_for_seat(found, course, request),
    }


def signed_in_player(request: HttpRequest) -> Player | None:
    user = user_or_none(request)
    return Player.objects.filter(person__user=user).first() if user else None


def may_ask_for_seat(found: Final, course: Convocation, request: HttpRequest) -> bool:
    player = signed_in_player(request)
    if player is None or not found.takes_answers:
        return False
    known = {*course.asking, *course.seated}
    return player.pk not in known and not found.called.filter(player=player).exists()


@allow(Role.PLAYER)
@require_POST
def ask_for_final_seat(request: UserRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Final.objects.listed(), stage__slug=slug)
    player = signed_in_player(request)
    if player is None:
        messages.error(request, _("Register as a player first."))
        return redirect(found)
    if carry_out(request, partial(final_seats.ask_for_seat, found, player, by=request.user)):
        messages.success(request, _("BIG has your request. If a seat stays free, we write to you."))
    return redirect(found)


PER_CONNECTION = "120/h/ip"
BOXES = (("yes", gettext_lazy("I bring the game")), ("no", gettext_lazy("I do not bring it")))


class ReplyForm(forms.Form):
    said = forms.ChoiceField(choices=[("yes", ""), ("no", "")])
    box = forms.ChoiceField(
        choices=BOXES, required=False, widget=forms.RadioSelect, label=gettext_lazy("Your box")
    )

    def reply(self) -> Reply:
        said, box = self.cleaned_data["said"], self.cleaned_data["box"]
        return Reply(said, brings_box=box == "yes" if box and said == Answer.Said.YES else None)


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def convocation_page(request: HttpRequest, token: str) -> HttpResponse:
    found = links.find_convocation(token)
    if found is None:
        raise Http404
    final, player = found
    if request.method != "POST":
        return render_reply(request, final, player)
    form = ReplyForm(request.POST)
    if not form.is_valid():
        return render_reply(request, final, player, trouble=_("Press one of the two buttons."))
    return take_reply(request, token, final, player, form.reply())


def take_reply(
    request: HttpRequest, token: str, final: Final, player: Player, reply: Reply
) -> HttpResponse:
    if is_signed_in_as_another(request, player):
        words = _(
            "You are signed in as somebody else. Sign out first if you answer for this person."
        )
        return render_reply(request, final, player, trouble=words, status=HTTPStatus.FORBIDDEN)
    if not consume(request, "convocation", PER_CONNECTION):
        words = _(
            "Many answers came from here in the last hour. Wait a little, then press the button "
            "again."
        )
        return render_reply(
            request, final, player, trouble=words, status=HTTPStatus.TOO_MANY_REQUESTS
        )
    try:
        final_seats.record_reply(final, player, reply)
    except Refused as refusal:
        final.refresh_from_db()
        return render_reply(
            request, final, player, trouble=str(refusal.sentence), status=HTTPStatus.GONE
        )
    messages.success(request, _("Your answer is written down."))
    return redirect("convocation", token)


def is_signed_in_as_another(request: HttpRequest, player: Player) -> bool:
    # A merged player may answer for the absorbed one.
    own = signed_in_player(request)
    return own is not None and own.pk not in {player.pk, player.merged_into_id}


def render_reply(
    request: HttpRequest,
    final: Final,
    player: Player,
    *,
    trouble: str = "",
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    # Opening a link never changes anything: mail programs open all of them.
    values = {
        "final": final,
        "stage": final.stage,
        "player": player,
        "person": getattr(player.merged_into or player, "person", None),
        "row": find_call_row(final, player),
        "trouble": trouble,
        "is_of_another": is_signed_in_as_another(request, player),
        "is_over": not final.takes_answers,
        "boxes": BOXES,
    }
    answer = render(request, "big_league/finals/reply.html", values, status=status)
    answer["X-Robots-Tag"] = "noindex"
    return answer
