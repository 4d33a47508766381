"""The current ranking, the referee's decision, and renunciations."""

from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pergioco.core.formats import format_thousandths
from pergioco.core.forms import ButtonForm, ReasonField, UseCaseForm
from pergioco.core.policy import UserRequest, allow
from pergioco.stages.models import Stage
from risiko_master.compute import paths_after_two_games
from risiko_master.labels import (
    CRITERIA,
    GOES_ON,
    day_sentences,
    renunciation_sentences,
    structure_in_words,
)
from risiko_master.live_page import RankedRow
from risiko_master.services import finals
from risiko_master.views.own_masters import DIRECTORS, own_master
from risiko_master.views.room import Room


class DecisionForm(UseCaseForm):
    direct = forms.IntegerField(
        label=gettext_lazy("Straight to the final"), min_value=0, max_value=4
    )
    semifinals = forms.IntegerField(label=gettext_lazy("Semifinals"), min_value=0, max_value=4)
    reason = ReasonField()


@dataclass(frozen=True)
class Row(RankedRow):
    name: str
    club: str
    is_last_through: bool

    @property
    def games(self) -> list[str]:
        own = self.placed.row.games
        return ["–" if points is None else format_thousandths(points) for points in own]

    @property
    def decided(self) -> str | Promise:
        criterion = CRITERIA.get(self.placed.decided_by)
        return criterion.words if criterion and self.placed.decided_by != "points" else ""


def ranking_rows(room: Room) -> list[Row]:
    # Of both games once they are over, else of the games so far, with shared places.
    day = room.live
    placed = day.qualification if room.day else day.tied or day.round_1
    goes_on = paths_after_two_games(day) if room.day else {}
    through = [one for one in placed if goes_on.get(one.row.player, {}).get("goes") in GOES_ON]
    last = through[-1].row.player if through and len(through) < len(placed) else None
    return [
        Row(
            one,
            goes_on.get(one.row.player, {}),
            room.names[one.row.player],
            room.clubs.get(one.row.player, ""),
            one.row.player == last,
        )
        for one in placed
    ]


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def ranking_page(request: UserRequest, slug: str) -> HttpResponse:
    stage, by = own_master(request, slug), request.user
    room = Room(stage)
    question = finals.open_question(room.day) if room.day else None
    form = DecisionForm(request.POST or None, initial=asdict(question.proposed) if question else {})
    if form.carries_out(partial(finals.record_decision, stage), by=by):
        messages.success(request, _("Decided, and logged with its reason."))
        return redirect("risiko-order", stage.slug)
    values = {
        "stage": stage,
        "room": room,
        "rows": ranking_rows(room) if room.rounds else [],
        "words": day_sentences(room.day) if room.day else (),
        "question": question,
        "other": structure_in_words(asdict(question.other)) if question and question.other else "",
        "decision": stage.referee_decisions.order_by("-id").first(),
        "form": form,
    }
    return render(request, "risiko_master/desk/ranking.html", values, status=form.status)


@dataclass(frozen=True)
class Choice:
    player: int
    name: str
    is_direct: bool


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def renounce_page(request: UserRequest, slug: str) -> HttpResponse:
    stage, by = own_master(request, slug), request.user
    room = Room(stage)
    choices = renunciation_choices(stage, room)
    player = chosen_player(request, choices)
    form = ButtonForm(request.POST or None)
    if player is not None and form.carries_out(lambda: finals.renounce_seat(stage, player, by=by)):
        messages.success(request, _("%(name)s has renounced.") % {"name": room.names[player]})
        return redirect("risiko-control", stage.slug)
    values: dict[str, Any] = {"stage": stage, "room": room, "choices": choices, "form": form}
    if player is not None:
        values |= {
            "player": player,
            "name": room.names[player],
            "words": consequence_sentences(stage, room, player),
        }
    return render(request, "risiko_master/desk/renounce.html", values, status=form.status)


def renunciation_choices(stage: Stage, room: Room) -> list[Choice]:
    if room.day is None:
        return []
    direct = room.day.field.direct
    return [Choice(p, room.names[p], p in direct) for p in finals.may_renounce(stage, room.day)]


def chosen_player(request: HttpRequest, choices: list[Choice]) -> int | None:
    text = request.POST.get("player") or request.GET.get("player", "")
    if not text:
        return None
    found = next((one.player for one in choices if str(one.player) == text), None)
    if found is None:
        raise Http404
    return found


def consequence_sentences(stage: Stage, room: Room, player: int) -> list[str | Promise]:
    assert room.day is not None
    return renunciation_sentences(
        finals.renunciation_consequence(stage, room.day, player), room.names
    )
