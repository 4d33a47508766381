"""A page to look at everything once more, and to close the stage."""

from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pergioco.desk import effects
from pergioco.desk.forms import UseCaseForm
from pergioco.desk.grid import RoundRows, names_in, names_of_entrants, points_in, rounds_of, tables_by_place
from pergioco.desk.stages import own_stage
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.stages import closing, facts, second_pass
from pergioco.stages.drafting import draft_of
from pergioco.stages.finding_words import Worded, in_words
from pergioco.stages.models import Revision, Stage
from pergioco.stages.rules import checking

CONFLICT = 409


class CloseForm(UseCaseForm):
    """What the person saw: anything else is not closed."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    sha256 = forms.CharField(widget=forms.HiddenInput)
    without_second_pass = forms.BooleanField(
        label=gettext_lazy("Close without typing the results a second time."),
        error_messages={"required": gettext_lazy("Type the results a second time, or tick that you close without.")},
    )

    def __init__(self, *args: Any, asks_for_second_pass: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not asks_for_second_pass:
            del self.fields["without_second_pass"]


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, number: int) -> HttpResponse:
    stage = own_stage(request, number)
    draft = draft_of(stage)
    if draft is None:
        messages.info(request, _("This stage has no draft to close."))
        return redirect("desk-stage", stage.pk)
    asks = second_pass.is_wanted(draft) and not second_pass.is_done(draft)
    form = CloseForm(request.POST or None, asks_for_second_pass=asks)
    if form.carries_out(partial(closed, request, stage)):
        return redirect("desk-stage", stage.pk)
    values = {**sheet(stage, draft), "form": form, "asks_for_second_pass": asks}
    if values["may_close"]:
        values["effects"] = effects.of(draft, by=cast("User", request.user))
    return render(request, "desk/close.html", values, status=CONFLICT if form.is_outdated else 200)


def closed(request: HttpRequest, stage: Stage, *, revision: int, sha256: str, **_ticks: bool) -> None:
    made = closing.close(stage, by=cast("User", request.user), revision=revision, sha256=sha256)
    if made.state == Revision.State.WAITING:
        messages.success(request, _("Proposed. A second person has to approve it; until then nothing changes."))
    else:
        messages.success(request, _("Closed: the rankings are being published. For half an hour it can be withdrawn."))


def sheet(stage: Stage, draft: Revision) -> dict[str, Any]:
    """Everything that would be closed, what the checks found, and the seal of these very facts."""
    rounds = rounds_of(draft)
    names = names_of_entrants(stage) | names_in(rounds)
    found = closing.check(draft)
    return {
        "stage": stage,
        "draft": draft,
        "rounds": rounds,
        "findings": with_links(in_words(found, names), rounds),
        "may_close": checking.may_close(found),
        "needs_approval": closing.needs_approval(draft),
        "seal": facts.sha256(facts.read(draft)),
        "points": points_in(draft, names),
    }


def with_links(findings: list[Worded], rounds: list[RoundRows]) -> list[tuple[Worded, list[tuple[int, int]]]]:
    """Each sentence with the tables that it is about: their numbers, and the ids of their rows."""
    rows = tables_by_place(rounds)
    return [(one, [(table, rows[one.round or 0, table]) for table in one.tables]) for one in findings]
