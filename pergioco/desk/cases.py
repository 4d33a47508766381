"""Complaints and questions: what waits first, and all that is done with one of them."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import models
from django.db.models import Q, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.desk.forms import ButtonForm, ReasonField, UseCaseForm, version_in
from pergioco.office.cases import answering
from pergioco.office.cases.subjects import Subject, subject_of
from pergioco.office.models import Case
from pergioco.office.models.cases import CaseQuerySet
from pergioco.players.models import AuditEntry, User
from pergioco.players.policy import Role, allow, has_role
from pergioco.stages.models import Stage

PER_PAGE = 50
READ_BY_MAIL = gettext_lazy("It leaves as a mail, in the language of the letter, and stands on the page of the link.")
READERS = (Role.STAFF, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR)
OFFICE_OF = {Role.BIG_ORGANIZER: Case.Office.BIG, Role.RISIKO_DIRECTOR: Case.Office.RKM}


def seen_by(user: User) -> CaseQuerySet:
    """Staff read all of it, BIG and RisiKo! what is for them. Nobody reads what was forgotten."""
    rows = Case.objects.exclude(email="")
    if has_role(user, Role.STAFF):
        return rows
    return rows.filter(office__in=[office for role, office in OFFICE_OF.items() if has_role(user, role)])


class AnswerForm(UseCaseForm):
    answer = forms.CharField(
        label=gettext_lazy("The office's answer"),
        max_length=4000,
        widget=forms.Textarea({"rows": 8}),
        help_text=READ_BY_MAIL,
    )
    finding = forms.CharField(
        label=gettext_lazy("Outcome in one sentence, for everybody"),
        required=False,
        max_length=500,
        widget=forms.Textarea({"rows": 2}),
        help_text=gettext_lazy("It stands beside the correction that comes of it. Name nobody."),
    )


class CorrectionForm(UseCaseForm):
    stage = forms.ModelChoiceField(Stage.objects.none(), label=gettext_lazy("Stage to correct"))
    reason = ReasonField(
        label=gettext_lazy("Why the results change"),
        help_text=gettext_lazy("Everybody concerned reads it. Name nobody."),
    )

    def __init__(self, *args: Any, stages: QuerySet[Stage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["stage"].queryset = stages  # type: ignore[attr-defined]

    def carries_out(self, act: Callable[..., object], **more: Any) -> bool:
        return super().carries_out(lambda stage, reason, **rest: act(stage, reason=reason, **rest), **more)


@allow(*READERS)
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """What waits comes first, what is due first before all; then the others, the latest first."""
    is_waiting = Q(state__in=[Case.State.RECEIVED, Case.State.LOOKED_AT])
    waits = models.Case(When(is_waiting, then=0), default=1, output_field=models.IntegerField())
    due = models.Case(When(is_waiting, then="due_on"))
    rows = seen_by(cast("User", request.user)).order_by(waits, due, "-pk").select_related("handled_by__person")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    today = timezone.localdate()
    late = {case.pk for case in page if case.is_late(today)}
    return render(request, "desk/cases.html", {"page": page, "late": late})


@allow(*READERS)
@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, number: int) -> HttpResponse:
    user = cast("User", request.user)
    case = found(user, number)
    subject = subject_of(case.page) if case.page else None
    shown = forms_for(request, case, subject)
    step = request.POST.get("step", "")
    if step in shown and shown[step].carries_out(ACTS[step](case), by=user, version=version_in(request)):
        return done(request, step, found(user, number))
    return page(request, found(user, number), subject, shown)


def found(user: User, number: int) -> Case:
    rows = seen_by(user).select_related("sent_by__person__player", "handled_by", "revision__stage__game")
    return get_object_or_404(rows, pk=number)


ACTS: dict[str, Callable[[Case], Callable[..., object]]] = {
    "take": lambda case: partial(answering.take, case),
    "answer": lambda case: partial(answering.answer, case),
    "correct": lambda case: partial(answering.begin_correction, case),
    "close": lambda case: partial(answering.close, case),
}


def forms_for(request: HttpRequest, case: Case, subject: Subject | None) -> dict[str, UseCaseForm]:
    """Each step of the page has its form; the one that was sent holds what was typed."""

    def typed(step: str) -> Any:
        return request.POST if request.POST.get("step") == step else None

    words = {"answer": case.answer, "finding": case.finding}
    shown: dict[str, UseCaseForm] = {
        "take": ButtonForm(typed("take")),
        "answer": AnswerForm(typed("answer"), prefix="answer", initial=words),
        "close": ButtonForm(typed("close")),
    }
    if case.is_complaint and case.revision_id is None:
        stages = Stage.objects.managed_by(cast("User", request.user)).filter(status__in=["closed", "corrected"])
        begun = {"stage": subject.stage if subject else None, "reason": _("Complaint %(n)s: ") % {"n": case.number}}
        ordered = stages.select_related("game", "season").order_by("-ends_on", "slug")
        shown["correct"] = CorrectionForm(typed("correct"), prefix="correct", initial=begun, stages=ordered)
    return shown


def done(request: HttpRequest, step: str, case: Case) -> HttpResponse:
    if step == "correct" and case.revision:
        messages.success(request, _("The correction has begun: change the results, then close them."))
        return redirect("admin:stage-results", case.revision.stage_id)
    state = {"number": case.number, "state": case.get_state_display()}
    messages.success(request, _("Done. %(number)s is now: %(state)s.") % state)
    return redirect("desk-case", case.pk)


def page(request: HttpRequest, case: Case, subject: Subject | None, shown: dict[str, UseCaseForm]) -> HttpResponse:
    """What was typed stays on the page, also when somebody else has acted meanwhile."""
    outdated = any(form.is_outdated for form in shown.values())
    values = {
        "case": case,
        "subject": subject,
        "forms": shown,
        "outdated": outdated,
        "is_late": case.is_late(timezone.localdate()),
        "writer": getattr(getattr(case.sent_by, "person", None), "player", None),
        "history": history_of(case),
    }
    return render(request, "desk/case.html", values, status=HTTPStatus.CONFLICT if outdated else HTTPStatus.OK)


def history_of(case: Case) -> QuerySet[AuditEntry]:
    rows = AuditEntry.objects.filter(object_type="office.case", object_id=str(case.pk))
    return rows.select_related("actor").order_by("-at", "-pk")[:20]
