"""The end of the day: everything once more, then the league table. Afterwards: a correction, with its reason."""

from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from big_league.day.reading import Day
from big_league.events.models import Event
from pergioco.desk.big_check_in import ORGANIZERS
from pergioco.desk.big_day import own_day
from pergioco.desk.big_showing import Shown, is_correction, steps_of
from pergioco.desk.forms import ReasonField, UseCaseForm
from pergioco.players.models import User
from pergioco.players.policy import allow
from pergioco.stages import closing, drafting, facts
from pergioco.stages.finding_words import in_words
from pergioco.stages.models import Revision, Stage
from pergioco.stages.rules import checking

CONFLICT = 409


class CloseForm(UseCaseForm):
    """What the person saw: anything else is not closed."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    sha256 = forms.CharField(widget=forms.HiddenInput)


class CorrectionForm(UseCaseForm):
    reason = ReasonField(label=gettext_lazy("Why the results change"))


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, number: int) -> HttpResponse:
    event, day = own_day(request, number)
    form = CloseForm(request.POST or None)
    if form.carries_out(partial(closed, request, day.stage)):
        return redirect("desk-big-day", event.pk)
    values = {**sheet(event, day), "form": form}
    return render(request, "desk/big_close.html", values, status=CONFLICT if form.is_outdated else 200)


def closed(request: HttpRequest, stage: Stage, *, revision: int, sha256: str) -> None:
    made = closing.close(stage, by=cast("User", request.user), revision=revision, sha256=sha256)
    if made.state == Revision.State.WAITING:
        messages.success(request, _("Proposed. A second person has to approve it; until then nothing changes."))
    else:
        messages.success(request, _("Closed: the league is being published."))


def sheet(event: Event, day: Day) -> dict[str, Any]:
    shown = Shown(day)
    draft = day.revision if day.revision and day.revision.state == Revision.State.DRAFT else None
    found = closing.check(draft) if draft else []
    return {
        "event": event,
        "stage": day.stage,
        "day": day,
        "steps": steps_of(event, day, "close"),
        "draft": draft,
        "is_correction": is_correction(day),
        "findings": in_words(found, shown.names),
        "may_close": draft is not None and checking.may_close(found),
        "seal": facts.sha256(day.facts),
        "standings": shown.standings() if day.facts else [],
    }


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, number: int) -> HttpResponse:
    """A copy of what is in force, to be put right table by table and closed again."""
    event, day = own_day(request, number)
    form = CorrectionForm(request.POST or None)
    by = cast("User", request.user)
    if form.carries_out(lambda reason: drafting.begin_correction(day.stage, by=by, reason=reason)):
        return redirect("desk-big-day", event.pk)
    return render(request, "desk/big_correct.html", {"event": event, "stage": day.stage, "form": form})
