"""Desk pages of stages: list, state, closing, corrections and approval."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pergioco.core.forms import ButtonForm, ReasonField, UseCaseForm, posted_number
from pergioco.core.pages import Step, form_status, try_steps
from pergioco.core.policy import Role, UserRequest, allow, has_role, require_reauthentication
from pergioco.core.refusal import Refused
from pergioco.publishing.queries import effects
from pergioco.stages import facts
from pergioco.stages.facts import SeatedTable, TableDifference
from pergioco.stages.forms import CloseForm
from pergioco.stages.labels import RESULT_LABELS
from pergioco.stages.models import Revision, Stage
from pergioco.stages.queries import stage_desk
from pergioco.stages.queries.results_grid import (
    GridRound,
    WordedFinding,
    describe_findings,
    entrant_names,
    grid_rounds,
    list_points,
    player_names,
    tables_by_place,
)
from pergioco.stages.queries.stage_desk import get_managed_stage
from pergioco.stages.rules import checking
from pergioco.stages.services import closing, drafting, entering
from pergioco.stages.services.drafting import find_draft

PER_PAGE = 50
State = Revision.State
PEOPLE = ("made_by__person", "closed_by__person", "approved_by__person")


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def list_own_stages(request: UserRequest) -> HttpResponse:
    rows = Stage.objects.managed_by(request.user).select_related("game", "season")
    rows = rows.prefetch_related("date_changes")
    page = Paginator(rows.order_by("-starts_on", "-id"), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "stages/desk/stages.html", {"page": page, "today": timezone.localdate()})


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def desk_stage(request: UserRequest, number: int) -> HttpResponse:
    rows = Stage.objects.managed_by(request.user).select_related("game", "season")
    stage = get_object_or_404(rows.prefetch_related("organizers__person"), pk=number)
    revisions = {
        r.state: r for r in stage.revisions.exclude(state__in=[State.SUPERSEDED, State.DROPPED])
    }
    current = revisions.get(State.CURRENT)
    values = {
        "stage": stage,
        "today": timezone.localdate(),
        "draft": revisions.get(State.DRAFT),
        "waiting": revisions.get(State.WAITING),
        "current": current,
        "entered": stage.entries.count(),
        "offers_prizes": stage.circuit == Stage.Circuit.BIG and has_role(request.user, Role.STAFF),
    }
    values |= stage_desk.publication_context(stage, current)
    answer = render(
        request,
        "stages/desk/stage.html",
        {**values, **(revision_results(current) if current else {})},
    )
    if values.get("is_computing"):
        answer.headers["Refresh"] = str(stage_desk.SECONDS_BETWEEN_LOOKS)
    return answer


def revision_results(revision: Revision) -> dict[str, Any]:
    rounds = grid_rounds(revision)
    return {"rounds": rounds, "points": list_points(revision, player_names(rounds))}


class SecondPassForm(CloseForm):
    without_second_pass = forms.BooleanField(
        label=gettext_lazy("Close without typing the results a second time."),
        error_messages={
            "required": gettext_lazy(
                "Type the results a second time, or tick that you close without."
            )
        },
    )

    def __init__(self, *args: Any, asks_for_second_pass: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not asks_for_second_pass:
            del self.fields["without_second_pass"]


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def close_stage_page(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    draft = find_draft(stage)
    if draft is None:
        messages.info(request, _("This stage has no draft to close."))
        return redirect("desk-stage", stage.pk)
    asks = entering.wants_second_pass(draft) and not entering.has_second_pass(draft)
    form = SecondPassForm(request.POST or None, asks_for_second_pass=asks)
    if form.carries_out(partial(close_and_tell, request, stage)):
        return redirect("desk-stage", stage.pk)
    values = {**closing_context(stage, draft), "form": form, "asks_for_second_pass": asks}
    if values["may_close"]:
        values["effects"] = effects.foresee_effects(draft, by=request.user)
    return render(request, "stages/desk/close.html", values, status=form_status(form))


def close_and_tell(
    request: UserRequest, stage: Stage, *, revision: int, sha256: str, **_ticks: bool
) -> None:
    made = closing.close_stage(stage, by=request.user, revision=revision, sha256=sha256)
    if made.state == Revision.State.WAITING:
        messages.success(
            request, _("Proposed. A second person has to approve it; until then nothing changes.")
        )
    else:
        messages.success(
            request,
            _("Closed: the rankings are being published. For half an hour it can be withdrawn."),
        )


def closing_context(stage: Stage, draft: Revision) -> dict[str, Any]:
    rounds = grid_rounds(draft)
    names = entrant_names(stage) | player_names(rounds)
    found = closing.check_revision(draft)
    return {
        "stage": stage,
        "draft": draft,
        "rounds": rounds,
        "findings": link_findings(describe_findings(found, names), rounds),
        "may_close": checking.may_close(found),
        "needs_approval": closing.needs_approval(draft),
        "seal": facts.hash_rounds(facts.read_rounds(draft)),
        "points": list_points(draft, names),
    }


def link_findings(
    findings: list[WordedFinding], rounds: list[GridRound]
) -> list[tuple[WordedFinding, list[tuple[int, int]]]]:
    rows = tables_by_place(rounds)
    return [
        (one, [(table, rows[one.round or 0, table]) for table in one.tables]) for one in findings
    ]


class CorrectionForm(UseCaseForm):
    reason = ReasonField(
        label=gettext_lazy("Why the results change"),
        help_text=gettext_lazy(
            "Everybody concerned reads it. The results as they are stay in force until you close."
        ),
    )


class SendingBackForm(UseCaseForm):
    reason = ReasonField(label=gettext_lazy("What is not right yet"))


@dataclass(frozen=True)
class ChangedTable:
    """A table in words; empty where it did not exist."""

    round: int
    table: int
    before: str
    after: str


def list_revisions(stage: Stage) -> QuerySet[Revision]:
    return stage.revisions.select_related(*PEOPLE).order_by("-number")


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def show_revisions(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    return render(
        request, "stages/desk/revisions.html", {"stage": stage, "revisions": list_revisions(stage)}
    )


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def begin_correction_page(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    form = CorrectionForm(request.POST or None)
    if form.carries_out(partial(drafting.begin_correction, stage), by=request.user):
        return redirect("admin:stage-results", stage.pk)
    return render(request, "stages/desk/correct.html", {"stage": stage, "form": form})


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def drop_correction_page(request: UserRequest, number: int) -> HttpResponse:
    # The button names the correction that it drops.
    stage = get_managed_stage(request, number)
    row = stage.revisions.filter(
        pk=posted_number(request, "revision"), state__in=[State.DRAFT, State.WAITING]
    )
    for revision in row:
        try:
            closing.drop_correction(revision, by=request.user)
            messages.success(
                request, _("The correction is given up. The results stay as they are.")
            )
        except Refused as refusal:
            messages.warning(request, str(refusal.sentence))
    return redirect("desk-stage", stage.pk)


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def show_revision(request: UserRequest, number: int, revision: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    row = get_object_or_404(list_revisions(stage), number=revision)
    return render(request, "stages/desk/revision.html", revision_context(stage, row))


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@require_reauthentication
def decide_correction(request: UserRequest, number: int, revision: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    row = get_object_or_404(list_revisions(stage), number=revision)
    steps = {
        "approve": Step(
            ButtonForm,
            partial(closing.approve_correction, row),
            _("Approved: these are the results now."),
        ),
        "send_back": Step(
            SendingBackForm,
            partial(closing.send_back_correction, row),
            _("Sent back: it is a draft again."),
        ),
    }
    tried = try_steps(request, steps)
    if not tried:
        return redirect("desk-stage", stage.pk)
    values = revision_context(stage, row) | tried
    if row.state == State.WAITING:
        values["effects"] = effects.foresee_effects(row, by=request.user)
    status = form_status(*tried.values())
    return render(request, "stages/desk/revision_decide.html", values, status=status)


def revision_context(stage: Stage, revision: Revision) -> dict[str, Any]:
    in_force = [State.CURRENT, State.SUPERSEDED]
    before = (
        stage.revisions.filter(number__lt=revision.number, state__in=in_force)
        .order_by("-number")
        .first()
    )
    rounds = grid_rounds(revision)
    names = (
        entrant_names(stage)
        | player_names(rounds)
        | (player_names(grid_rounds(before)) if before else {})
    )
    changed = describe_changes(facts.diff_revisions(before, revision), names) if before else []
    return {
        "stage": stage,
        "revision": revision,
        "before": before,
        "changed": changed,
        "rounds": rounds,
    }


def describe_changes(found: Iterable[TableDifference], names: dict[int, str]) -> list[ChangedTable]:
    return [
        ChangedTable(
            d.round, d.table, describe_seats(d.before, names), describe_seats(d.after, names)
        )
        for d in found
    ]


def describe_seats(seated: SeatedTable | None, names: dict[int, str]) -> str:
    if seated is None:
        return ""
    abandoned = _(", abandoned") if any(kind == "quit" for _o, kind in seated.parts) else ""
    return (
        f"{' – '.join(names[player] for player in seated.players)}: "
        f"{RESULT_LABELS[seated.sign]}{abandoned}"
    )
