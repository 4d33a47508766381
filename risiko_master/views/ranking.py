"""The current ranking, the referee's decision, and renunciations."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
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
from pergioco.rulekit.ordering import Placed
from pergioco.stages.models import Stage
from risiko_master.compute import paths_after_two_games
from risiko_master.labels import (
    CRITERIA,
    GOES,
    GOES_ON,
    renunciation_sentences,
    structure_in_words,
    structure_sentences,
)
from risiko_master.rules.day import Day
from risiko_master.rules.rankings import Record
from risiko_master.services import finals
from risiko_master.views.own_masters import DIRECTORS, own_master
from risiko_master.views.room import Room

UNFIT = 422


class DecisionForm(UseCaseForm):
    direct = forms.IntegerField(
        label=gettext_lazy("Straight to the final"), min_value=0, max_value=4
    )
    semifinals = forms.IntegerField(label=gettext_lazy("Semifinals"), min_value=0, max_value=4)
    reason = ReasonField()


@dataclass(frozen=True)
class Row:
    rank: int
    name: str
    club: str
    games: list[str]
    points: str
    decided: str | Promise
    goes: str | Promise
    is_shared: bool
    is_last_through: bool = False


def ranking_rows(room: Room) -> list[Row]:
    # Of both games once they are over, else of the games so far, with shared places.
    day = room.live
    placed = day.qualification if room.day else day.tied or day.round_1
    goes_on = paths_after_two_games(day) if room.day else {}
    through = [one for one in placed if goes_on.get(one.row.player, {}).get("goes") in GOES_ON]
    last = through[-1].row.player if through and len(through) < len(placed) else None
    return [
        ranking_row(room, one, goes_on.get(one.row.player, {}), is_last=one.row.player == last)
        for one in placed
    ]


def ranking_row(room: Room, placed: Placed[Record], way: dict[str, Any], *, is_last: bool) -> Row:
    record = placed.row
    criterion = CRITERIA.get(placed.decided_by)
    return Row(
        placed.rank,
        room.names[record.player],
        room.clubs.get(record.player, ""),
        ["–" if points is None else format_thousandths(points) for points in record.games],
        format_thousandths(record.total),
        criterion.words if criterion and placed.decided_by != "points" else "",
        GOES.get(way.get("goes", ""), ""),
        placed.is_shared,
        is_last,
    )


def day_sentences(day: Day | None) -> Sequence[str | Promise]:
    return (
        structure_sentences({"structure": asdict(day.structure), "played": asdict(day.played)})
        if day
        else ()
    )


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def ranking_page(request: UserRequest, slug: str) -> HttpResponse:
    stage, by = own_master(request, slug), request.user
    room = Room(stage)
    question = finals.open_question(room.day) if room.day else None
    form = DecisionForm(request.POST or None, initial=proposed_initial(question))
    if form.carries_out(lambda **typed: finals.record_decision(stage, **typed, by=by)):
        messages.success(request, _("Decided, and logged with its reason."))
        return redirect("risiko-order", stage.slug)
    status = UNFIT if form.errors else 200
    values = {**ranking_values(stage, room), "question": question, "form": form}
    return render(request, "risiko_master/desk/ranking.html", values, status=status)


def proposed_initial(question: finals.OpenQuestion | None) -> dict[str, int]:
    return (
        {"direct": question.proposed.direct, "semifinals": question.proposed.semifinals}
        if question
        else {}
    )


def ranking_values(stage: Stage, room: Room) -> dict[str, Any]:
    day = room.day
    question = finals.open_question(day) if day else None
    other = question.other if question else None
    return {
        "stage": stage,
        "room": room,
        "rows": ranking_rows(room) if room.rounds else [],
        "words": day_sentences(day),
        "other": structure_in_words(asdict(other)) if other else "",
        "decision": stage.referee_decisions.order_by("-id").first(),
    }


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
    return render(
        request, "risiko_master/desk/renounce.html", values, status=UNFIT if form.errors else 200
    )


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
