"""The revisions of a stage: what changed, why, and the second person who approves."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pergioco.desk import effects
from pergioco.desk.forms import ButtonForm, ReasonField, UseCaseForm
from pergioco.desk.grid import names_in, names_of_entrants, rounds_of
from pergioco.desk.stages import own_stage
from pergioco.players.models import User
from pergioco.players.policy import Role, allow, asks_again
from pergioco.players.refusal import Refused
from pergioco.stages import closing, differences, drafting
from pergioco.stages.differences import Difference, Seated
from pergioco.stages.models import Revision, Stage
from pergioco.stages.result_words import READ_AS

State = Revision.State
PEOPLE = ("made_by__person", "closed_by__person", "approved_by__person")
CONFLICT = 409


class CorrectionForm(UseCaseForm):
    reason = ReasonField(
        label=gettext_lazy("Why the results change"),
        help_text=gettext_lazy("Everybody concerned reads it. The results as they are stay in force until you close."),
    )


class SendingBackForm(UseCaseForm):
    reason = ReasonField(label=gettext_lazy("What is not right yet"))


@dataclass(frozen=True)
class Changed:
    """One table in words; empty where there was none."""

    round: int
    table: int
    before: str
    after: str


def revisions_of(stage: Stage) -> QuerySet[Revision]:
    return stage.revisions.select_related(*PEOPLE).order_by("-number")


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def history(request: HttpRequest, number: int) -> HttpResponse:
    stage = own_stage(request, number)
    return render(request, "desk/revisions.html", {"stage": stage, "revisions": revisions_of(stage)})


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, number: int) -> HttpResponse:
    stage = own_stage(request, number)
    form = CorrectionForm(request.POST or None)
    by = cast("User", request.user)
    if form.carries_out(lambda reason: drafting.begin_correction(stage, by=by, reason=reason)):
        return redirect("admin:stage-results", stage.pk)
    return render(request, "desk/correct.html", {"stage": stage, "form": form})


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def drop(request: HttpRequest, number: int) -> HttpResponse:
    """The button names the correction that it gives up."""
    stage = own_stage(request, number)
    row = stage.revisions.filter(pk=as_number(request.POST.get("revision")), state__in=[State.DRAFT, State.WAITING])
    for revision in row:
        try:
            closing.drop_correction(revision, by=cast("User", request.user))
            messages.success(request, _("The correction is given up. The results stay as they are."))
        except Refused as refusal:
            messages.warning(request, str(refusal.sentence))
    return redirect("desk-stage", stage.pk)


def as_number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def one(request: HttpRequest, number: int, revision: int) -> HttpResponse:
    stage = own_stage(request, number)
    row = get_object_or_404(revisions_of(stage), number=revision)
    return render(request, "desk/revision.html", story(stage, row))


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def decide(request: HttpRequest, number: int, revision: int) -> HttpResponse:
    """The second person: not the one who proposed."""
    stage = own_stage(request, number)
    row = get_object_or_404(revisions_of(stage), number=revision)
    step = request.POST.get("step")
    approval = ButtonForm(request.POST if step == "approve" else None)
    sending_back = SendingBackForm(request.POST if step == "send_back" else None)
    by = cast("User", request.user)
    if approval.carries_out(lambda: closing.approve(row, by=by)):
        messages.success(request, _("Approved: these are the results now."))
        return redirect("desk-stage", stage.pk)
    if sending_back.carries_out(lambda reason: closing.send_back(row, by=by, reason=reason)):
        messages.success(request, _("Sent back: it is a draft again."))
        return redirect("desk-stage", stage.pk)
    outdated = approval.is_outdated or sending_back.is_outdated
    values = {**story(stage, row), "approval": approval, "sending_back": sending_back}
    if row.state == State.WAITING:
        values["effects"] = effects.of(row, by=by)
    return render(request, "desk/revision_decide.html", values, status=CONFLICT if outdated else 200)


def story(stage: Stage, revision: Revision) -> dict[str, Any]:
    """A revision, and what it changes of the results that were in force before it."""
    in_force = [State.CURRENT, State.SUPERSEDED]
    before = stage.revisions.filter(number__lt=revision.number, state__in=in_force).order_by("-number").first()
    rounds = rounds_of(revision)
    names = names_of_entrants(stage) | names_in(rounds) | (names_in(rounds_of(before)) if before else {})
    changed = in_words(differences.between(before, revision), names) if before else []
    return {"stage": stage, "revision": revision, "before": before, "changed": changed, "rounds": rounds}


def in_words(found: Iterable[Difference], names: dict[int, str]) -> list[Changed]:
    return [Changed(d.round, d.table, seats(d.before, names), seats(d.after, names)) for d in found]


def seats(seated: Seated | None, names: dict[int, str]) -> str:
    if seated is None:
        return ""
    abandoned = _(", abandoned") if any(kind == "quit" for _o, kind in seated.parts) else ""
    return f"{' – '.join(names[player] for player in seated.players)}: {READ_AS[seated.sign]}{abandoned}"
