"""The ranking as it stands in the hall, what follows from it, and what the referee decides where nothing follows."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import ReasonField, UseCaseForm
from pergioco.desk.masters.listed import WHO, own_master
from pergioco.desk.masters.room import Room
from pergioco.players.models import User
from pergioco.players.policy import allow
from pergioco.rulekit.placing import Placed
from pergioco.stages.models import Stage
from risiko_master import deciding
from risiko_master.compute import paths, value
from risiko_master.rules.day import Day
from risiko_master.rules.ranking import Record
from risiko_master.standing_labels import CRITERIA, GOES, GOES_ON, points_shown, sentences, structure_in_words

UNFIT = 422


class DecisionForm(UseCaseForm):
    direct = forms.IntegerField(label=gettext_lazy("Straight to the final"), min_value=0, max_value=4)
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


def rows_of(room: Room) -> list[Row]:
    """Of both games once they are over, else of what was played so far, places still shared."""
    day = room.live
    placed = day.qualification if room.day else day.tied or day.round_1
    goes_on = paths(day) if room.day else {}
    through = [one for one in placed if goes_on.get(one.row.player, {}).get("goes") in GOES_ON]
    last = through[-1].row.player if through and len(through) < len(placed) else None
    return [row_of(room, one, goes_on.get(one.row.player, {}), is_last=one.row.player == last) for one in placed]


def row_of(room: Room, placed: Placed[Record], way: dict[str, Any], *, is_last: bool) -> Row:
    record = placed.row
    criterion = CRITERIA.get(placed.decided_by)
    return Row(
        placed.rank,
        room.names[record.player],
        room.clubs.get(record.player, ""),
        ["–" if points is None else points_shown(value(points)) for points in record.games],
        points_shown(value(record.total)),
        criterion.words if criterion and placed.decided_by != "points" else "",
        GOES.get(way.get("goes", ""), ""),
        placed.is_shared,
        is_last,
    )


def words_of(day: Day | None) -> Sequence[str | Promise]:
    return sentences({"structure": asdict(day.structure), "played": asdict(day.played)}) if day else ()


@allow(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def ranking(request: HttpRequest, slug: str) -> HttpResponse:
    stage, by = own_master(request, slug), cast("User", request.user)
    room = Room(stage)
    question = deciding.open_to_the_referee(room.day) if room.day else None
    form = DecisionForm(request.POST or None, initial=proposed(question))
    if form.carries_out(lambda **typed: deciding.decide(stage, **typed, by=by)):
        messages.success(request, _("Decided, and logged with its reason."))
        return redirect("risiko-order", stage.slug)
    status = UNFIT if form.errors else 200
    values = {**page_values(stage, room), "question": question, "form": form}
    return render(request, "desk/masters/ranking.html", values, status=status)


def proposed(question: deciding.Open | None) -> dict[str, int]:
    return {"direct": question.proposed.direct, "semifinals": question.proposed.semifinals} if question else {}


def page_values(stage: Stage, room: Room) -> dict[str, Any]:
    day = room.day
    question = deciding.open_to_the_referee(day) if day else None
    other = question.other if question else None
    return {
        "stage": stage,
        "room": room,
        "rows": rows_of(room) if room.rounds else [],
        "words": words_of(day),
        "other": structure_in_words(asdict(other)) if other else "",
        "decision": stage.referee_decisions.order_by("-id").first(),
    }
