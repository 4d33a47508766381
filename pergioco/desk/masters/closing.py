"""Everything once more, then the Master is closed and its rankings are published."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import UseCaseForm
from pergioco.desk.masters.listed import WHO, own_master
from pergioco.desk.masters.room import Room
from pergioco.players.models import User
from pergioco.players.policy import allow
from pergioco.stages import closing, facts
from pergioco.stages.finding_words import in_words
from pergioco.stages.models import Stage
from pergioco.stages.rules import checking
from risiko_master.compute import value
from risiko_master.standing_labels import points_shown

CONFLICT = 409


class CloseForm(UseCaseForm):
    """What the person saw: anything else is not closed."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    sha256 = forms.CharField(widget=forms.HiddenInput)


@allow(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str) -> HttpResponse:
    stage = own_master(request, slug)
    room = Room(stage)
    if room.draft is None:
        messages.info(request, _("This Master has no draft to close."))
        return redirect("risiko-control", stage.slug)
    form = CloseForm(request.POST or None)
    if room.is_played and form.carries_out(lambda **seen: closing.close(stage, by=cast("User", request.user), **seen)):
        messages.success(request, _("Closed: the final ranking is being published."))
        return redirect("risiko-control", stage.slug)
    status = CONFLICT if form.is_outdated else 200
    return render(request, "desk/masters/close.html", {**sheet(stage, room), "form": form}, status=status)


def sheet(stage: Stage, room: Room) -> dict[str, Any]:
    assert room.draft is not None
    found = closing.check(room.draft)
    stops = [one for one in found if one.weight == checking.Weight.STOP]
    return {
        "stage": stage,
        "room": room,
        "draft": room.draft,
        "seal": facts.sha256(facts.read(room.draft)),
        "findings": in_words(stops, room.names),
        "may_close": room.is_played and checking.may_close(found),
        "rows": final_rows(room) if room.is_played else [],
    }


def final_rows(room: Room) -> list[tuple[int, str, str]]:
    """Place, name, points; shared places bear the same number."""
    return [
        (one.rank, room.names[one.row.player], points_shown(value(one.row.record.total))) for one in room.live.final
    ]
