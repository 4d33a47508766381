"""Typing the results of a stage: one page, each cell saved at once; or round by round, without JavaScript."""

from collections.abc import Callable, Mapping
from typing import Any, cast
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
from django.views.decorators.http import require_POST, require_safe

from pergioco.desk.grid import NotSaved, panel_of, rounds_of
from pergioco.desk.stages import own_stage
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import entering
from pergioco.stages.drafting import draft_of, new_submission, take_back
from pergioco.stages.entering import Typed
from pergioco.stages.models import Change, Revision, Stage, Table
from pergioco.stages.rules.results import sign_typed

CONFLICT, UNPROCESSABLE = 409, 422


@require_safe
def grid(request: HttpRequest, number: int) -> HttpResponse:
    """The page of the admin; `admin_gate` adds who may come in."""
    return page(request, own_stage(request, number))


def page(
    request: HttpRequest, stage: Stage, *, not_saved: dict[int, NotSaved] | None = None, status: int = 200
) -> HttpResponse:
    draft = draft_of(stage)
    rounds = rounds_of(draft, not_saved) if draft else []
    values = {
        "stage": stage,
        "draft": draft,
        "rounds": rounds,
        "panel": panel_of(stage, draft, rounds) if draft else None,
        "waiting": stage.revisions.filter(state=Revision.State.WAITING).first() if draft is None else None,
        "not_saved": not_saved,
        "submission": new_submission(),
    }
    return render(request, "desk/results.html", values, status=status)


class CellForm(forms.Form):
    table = forms.IntegerField()
    sign = forms.CharField(required=False, max_length=1)
    version = forms.IntegerField(min_value=0)
    submission = forms.UUIDField()


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def cell(request: HttpRequest, number: int) -> HttpResponse:
    """One key of the grid. Sent twice, it is written once."""
    stage = own_stage(request, number)
    form = CellForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"sentence": _("This was not understood. Reload the page.")}, status=UNPROCESSABLE)
    typed = Typed(**form.cleaned_data)
    try:
        save(stage, typed, by=cast("User", request.user))
    except Refused as refusal:
        status = CONFLICT if isinstance(refusal, Outdated) else UNPROCESSABLE
        return JsonResponse(state_of(request, stage, typed.table, sentence=sentence_for(refusal, typed)), status=status)
    return JsonResponse(state_of(request, stage, typed.table))


def save(stage: Stage, typed: Typed, *, by: User) -> None:
    """A table of another stage is a table that is not there."""
    if not Table.objects.filter(pk=typed.table, round__revision__stage=stage).exists():
        raise Outdated(_("This table is no longer in the draft."))
    sign = sign_typed(typed.sign)
    entering.set_result(Typed(typed.table, sign, typed.version, typed.submission), by=by)


def state_of(request: HttpRequest, stage: Stage, table: int | None = None, *, sentence: str = "") -> dict[str, Any]:
    """What the page needs to know after a step: the row as it stands now, and the panel beside it."""
    draft = draft_of(stage)
    rounds = rounds_of(draft) if draft else []
    row = next((row for round_ in rounds for row in round_.rows if row.table == table), None)
    now = date_format(timezone.localtime(), "H:i:s")
    values: dict[str, Any] = {"sentence": sentence, "saved": _("Saved %(time)s") % {"time": now}}
    if draft is not None:
        beside = {"stage": stage, "draft": draft, "panel": panel_of(stage, draft, rounds)}
        for part in ("panel", "changes"):
            values[part] = render_to_string(f"desk/results_{part}.html", beside, request)
    if row is not None:
        values |= {"table": row.table, "sign": row.sign, "version": row.version}
    return values


def sentence_for(refusal: Refused, typed: Typed) -> str:
    """Who was faster, and when; else what the use-case says."""
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
    return _("“%(key)s” is not a result. Use 1, X or 2; + or − if a player was absent.") % {"key": key}


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def save_round(request: HttpRequest, number: int) -> HttpResponse:
    """The whole round at once. What somebody else changed meanwhile comes back with both values; the rest is saved."""
    stage = own_stage(request, number)
    not_saved: dict[int, NotSaved] = {}
    for typed in changed_cells({name: str(value) for name, value in request.POST.items()}):
        try:
            save(stage, typed, by=cast("User", request.user))
        except Refused as refusal:
            not_saved[typed.table] = NotSaved(typed.sign, sentence_for(refusal, typed))
    if not_saved:
        return page(request, stage, not_saved=not_saved, status=CONFLICT)
    messages.success(request, _("The round is saved."))
    return redirect(f"{reverse('admin:stage-results', args=[stage.pk])}#round-{request.POST.get('round', '1')}")


def changed_cells(sent: Mapping[str, str]) -> list[Typed]:
    """Only what differs from what the page showed: an untouched row is nobody's change."""
    try:
        form = UUID(sent.get("submission", ""))
        rows = [name.removeprefix("sign-") for name in sent if name.startswith("sign-")]
        return [
            Typed(int(row), sent[f"sign-{row}"], int(sent[f"version-{row}"]), uuid5(form, row))
            for row in rows
            if sent[f"sign-{row}"] != sent.get(f"was-{row}")
        ]
    except (KeyError, ValueError):
        return []


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def undo(request: HttpRequest, number: int) -> HttpResponse:
    return go_back_or_forth(request, number, entering.undo)


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def redo(request: HttpRequest, number: int) -> HttpResponse:
    return go_back_or_forth(request, number, entering.redo)


def go_back_or_forth(request: HttpRequest, number: int, act: Callable[..., Change | None]) -> HttpResponse:
    """The button names the change that it is about: pressed twice, it does it once."""
    stage = own_stage(request, number)
    draft = draft_of(stage)
    change = request.POST.get("change", "")
    done = None
    sentence = ""
    try:
        if draft is not None and change.isdecimal():
            done = act(draft, by=cast("User", request.user), change=int(change))
    except Refused as refusal:
        sentence = str(refusal.sentence)
    if request.accepts("text/html"):
        messages.info(request, sentence or (_("Done.") if done else _("Nothing was changed: look at the list again.")))
        return redirect(reverse("admin:stage-results", args=[stage.pk]) + (f"#t{done.table_id}" if done else ""))
    return JsonResponse(state_of(request, stage, done.table_id if done else None, sentence=sentence))


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def back(request: HttpRequest, number: int) -> HttpResponse:
    """The draft before an import, a swap or a removed round. The button names the draft that it takes away."""
    stage = own_stage(request, number)
    draft = draft_of(stage)
    if draft is not None and request.POST.get("draft") == str(draft.pk):
        try:
            take_back(stage, by=cast("User", request.user))
            messages.success(request, _("The earlier draft is back."))
        except Refused as refusal:
            messages.warning(request, str(refusal.sentence))
    return redirect("admin:stage-results", stage.pk)
