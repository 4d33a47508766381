"""Desk pages to type results, cell by cell or round by round, and to type them a second time."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pergioco.core.models import User
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.core.refusal import Outdated, Refused
from pergioco.stages.labels import RESULT_LABELS
from pergioco.stages.models import Change, Revision, Stage, Table
from pergioco.stages.queries.results_grid import NotSaved, build_panel, grid_rounds
from pergioco.stages.queries.stage_desk import get_managed_stage
from pergioco.stages.rules.results import EMPTY, sign_typed
from pergioco.stages.services import entering
from pergioco.stages.services.drafting import find_draft, new_submission, restore_earlier_draft
from pergioco.stages.services.entering import TypedResult

SIGN_FIELD = re.compile(r"sign-[0-9]{1,18}")


@require_safe
def results_grid_page(request: UserRequest, number: int) -> HttpResponse:
    # A page of the admin: `admin_gate` checks permissions.
    return render_results(request, get_managed_stage(request, number))


def render_results(
    request: HttpRequest,
    stage: Stage,
    *,
    not_saved: dict[int, NotSaved] | None = None,
    status: int = 200,
) -> HttpResponse:
    draft = find_draft(stage)
    rounds = grid_rounds(draft, not_saved) if draft else []
    values = {
        "stage": stage,
        "draft": draft,
        "rounds": rounds,
        "panel": build_panel(stage, draft, rounds) if draft else None,
        "waiting": stage.revisions.filter(state=Revision.State.WAITING).first()
        if draft is None
        else None,
        "not_saved": not_saved,
        "submission": new_submission(),
    }
    return render(request, "stages/desk/results.html", values, status=status)


class CellForm(forms.Form):
    table = forms.IntegerField()
    sign = forms.CharField(required=False, max_length=1)
    version = forms.IntegerField(min_value=0)
    submission = forms.UUIDField()


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def save_cell(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    form = CellForm(request.POST)
    if not form.is_valid():
        return JsonResponse(
            {"sentence": _("This was not understood. Reload the page.")}, status=Refused.status
        )
    typed = TypedResult(**form.cleaned_data)
    try:
        save_typed(stage, typed, by=request.user)
    except Refused as refusal:
        sentence = refusal_sentence(refusal, typed)
        values = results_state(request, stage, typed.table, sentence=sentence)
        return JsonResponse(values, status=refusal.status)
    return JsonResponse(results_state(request, stage, typed.table))


def save_typed(stage: Stage, typed: TypedResult, *, by: User) -> None:
    # A table of another stage does not exist here.
    if not Table.objects.filter(pk=typed.table, round__revision__stage=stage).exists():
        raise Outdated(_("This table is no longer in the draft."), rule="desk_results.save_typed")
    sign = sign_typed(typed.sign)
    entering.set_result(TypedResult(typed.table, sign, typed.version, typed.submission), by=by)


def results_state(
    request: HttpRequest, stage: Stage, table: int | None = None, *, sentence: str = ""
) -> dict[str, Any]:
    draft = find_draft(stage)
    rounds = grid_rounds(draft) if draft else []
    row = next((row for round_ in rounds for row in round_.rows if row.table == table), None)
    now = date_format(timezone.localtime(), "H:i:s")
    values: dict[str, Any] = {"sentence": sentence, "saved": _("Saved %(time)s") % {"time": now}}
    if draft is not None:
        beside = {"stage": stage, "draft": draft, "panel": build_panel(stage, draft, rounds)}
        for part in ("panel", "changes"):
            values[part] = render_to_string(f"stages/desk/results_{part}.html", beside, request)
    if row is not None:
        values |= {"table": row.table, "sign": row.sign, "version": row.version}
    return values


def refusal_sentence(refusal: Refused, typed: TypedResult) -> str:
    if not isinstance(refusal, Outdated):
        return wrong_key(typed.sign) if refusal.field == "sign" else str(refusal.sentence)
    rows = Change.objects.filter(table=typed.table, revision__state=Revision.State.DRAFT)
    last = rows.select_related("by__person", "table").order_by("-at", "-id").first()
    return changed_by(last) if last is not None else str(refusal.sentence)


def changed_by(change: Change) -> str:
    who = change.by.get_full_name() if change.by else _("Somebody")
    when = date_format(timezone.localtime(change.at), "TIME_FORMAT")
    values = {"who": who, "table": change.table.number if change.table else "", "time": when}
    return _("%(who)s changed table %(table)s at %(time)s.") % values


def wrong_key(key: str) -> str:
    return _("“%(key)s” is not a result. Use 1, X or 2; + or − if a player was absent.") % {
        "key": key
    }


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def save_round(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    not_saved: dict[int, NotSaved] = {}
    for typed in changed_cells({name: str(value) for name, value in request.POST.items()}):
        try:
            save_typed(stage, typed, by=request.user)
        except Refused as refusal:
            not_saved[typed.table] = NotSaved(typed.sign, refusal_sentence(refusal, typed))
    if not_saved:
        return render_results(request, stage, not_saved=not_saved, status=Outdated.status)
    messages.success(request, _("The round is saved."))
    return redirect(
        f"{reverse('admin:stage-results', args=[stage.pk])}#round-{request.POST.get('round', '1')}"
    )


def changed_cells(sent: Mapping[str, str]) -> list[TypedResult]:
    # A row that still holds the values shown was not edited by this user.
    try:
        form = UUID(sent.get("submission", ""))
        rows = [name.removeprefix("sign-") for name in sent if name.startswith("sign-")]
        return [
            TypedResult(
                int(row), sent[f"sign-{row}"], int(sent[f"version-{row}"]), uuid5(form, row)
            )
            for row in rows
            if sent[f"sign-{row}"] != sent.get(f"was-{row}")
        ]
    except (KeyError, ValueError):
        return []


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def undo_result(request: UserRequest, number: int) -> HttpResponse:
    return step_through_changes(request, number, entering.undo_change)


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def redo_result(request: UserRequest, number: int) -> HttpResponse:
    return step_through_changes(request, number, entering.redo_change)


def step_through_changes(
    request: UserRequest, number: int, act: Callable[..., Change | None]
) -> HttpResponse:
    # The button names its change: pressed twice, it applies once.
    stage = get_managed_stage(request, number)
    draft = find_draft(stage)
    change = request.POST.get("change", "")
    done = None
    sentence = ""
    try:
        if draft is not None and change.isdecimal():
            done = act(draft, by=request.user, change=int(change))
    except Refused as refusal:
        sentence = str(refusal.sentence)
    if request.accepts("text/html"):
        messages.info(
            request,
            sentence or (_("Done.") if done else _("Nothing was changed: look at the list again.")),
        )
        return redirect(
            reverse("admin:stage-results", args=[stage.pk]) + (f"#t{done.table_id}" if done else "")
        )
    return JsonResponse(
        results_state(request, stage, done.table_id if done else None, sentence=sentence)
    )


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def restore_draft(request: UserRequest, number: int) -> HttpResponse:
    # The button names the draft that it removes.
    stage = get_managed_stage(request, number)
    draft = find_draft(stage)
    if draft is not None and request.POST.get("draft") == str(draft.pk):
        try:
            restore_earlier_draft(stage, by=request.user)
            messages.success(request, _("The earlier draft is back."))
        except Refused as refusal:
            messages.warning(request, str(refusal.sentence))
    return redirect("admin:stage-results", stage.pk)


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def verify_results(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    draft = find_draft(stage)
    if draft is None:
        return redirect("admin:stage-results", stage.pk)
    if request.method != "POST":
        return render_second_pass(request, stage, draft, {})
    typed = {
        int(n.removeprefix("sign-")): str(sign)
        for n, sign in request.POST.items()
        if SIGN_FIELD.fullmatch(n)
    }
    try:
        differences = entering.compare_second_pass(draft, typed, by=request.user)
    except Refused as refusal:
        messages.warning(request, str(refusal.sentence))
        return redirect("admin:stage-results", stage.pk)
    if differences:
        troubles = {
            table: describe_difference(typed.get(table, EMPTY), sign)
            for table, sign in differences.items()
        }
        return render_second_pass(request, stage, draft, typed, troubles)
    messages.success(request, _("Both passes agree."))
    return redirect("desk-close", stage.pk)


def render_second_pass(
    request: HttpRequest,
    stage: Stage,
    draft: Revision,
    typed: dict[int, str],
    troubles: dict[int, str] | None = None,
) -> HttpResponse:
    # The draft's results are hidden from the person who types them again.
    troubles = troubles or {}
    rows = {
        table: NotSaved(typed.get(table, EMPTY), troubles.get(table, ""))
        for table in entering.read_signs(draft)
    }
    values = {
        "stage": stage,
        "draft": draft,
        "rounds": grid_rounds(draft, rows),
        "verifying": True,
        "not_saved": troubles,
    }
    return render(
        request, "stages/desk/results.html", values, status=Outdated.status if troubles else 200
    )


def describe_difference(typed: str, sign: str) -> str:
    if not typed:
        return _("Not typed a second time yet.")
    values = {"typed": RESULT_LABELS.get(sign_typed(typed), typed), "draft": RESULT_LABELS[sign]}
    return (
        _("You typed %(typed)s; the draft says %(draft)s. Type it again, or change the draft.")
        % values
    )
