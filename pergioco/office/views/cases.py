"""Letters to the office: the public forms, the page of the signed link, and the desk's pages."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.db import models
from django.db.models import Q, QuerySet, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.forms import ButtonForm, ReasonField, UseCaseForm, posted_version
from pergioco.core.limits import consume
from pergioco.core.models import User
from pergioco.core.pages import page_or_form, paginate, posted_step, render_forms
from pergioco.core.policy import UserRequest, allow, everyone, user_or_none
from pergioco.office.forms import ComplaintForm, ContactForm, LetterForm
from pergioco.office.models import Case
from pergioco.office.rules import ANSWERS_WITHIN
from pergioco.office.services import cases
from pergioco.office.services.cases import READERS, Subject, cases_readable_by, find_subject
from pergioco.stages.models import Stage

PER_CONNECTION, PER_DISPUTED_PAGE = "10/h/ip", "50/h/key"


@everyone
@never_cache
@page_or_form
def write_complaint(request: HttpRequest) -> HttpResponse:
    begun = {"about": request.GET.get("about", "")}
    return handle_letter(request, ComplaintForm, "office/public/complaint.html", begun)


@everyone
@never_cache
@page_or_form
def write_question(request: HttpRequest) -> HttpResponse:
    return handle_letter(
        request,
        ContactForm,
        "office/public/contact.html",
        {"office": request.GET.get("office", "")},
    )


def handle_letter(
    request: HttpRequest, make: type[LetterForm], template: str, begun: dict[str, str]
) -> HttpResponse:
    user = user_or_none(request)
    form = make(
        request.POST if request.method == "POST" else None, initial=begun | own_details(user)
    )
    status: int = HTTPStatus.OK
    if form.is_valid():
        status = limit_letters(request, form)
        if form.carries_out(lambda **typed: cases.send_case(form.sent(), by=user)):
            return thank_for_letter(request, form.result)
    return render(request, template, {"form": form, "days": ANSWERS_WITHIN.days}, status=status)


def own_details(user: User | None) -> dict[str, str]:
    if user is None:
        return {}
    person = getattr(user, "person", None)
    return {"name": str(person or ""), "email": user.email}


def limit_letters(request: HttpRequest, form: LetterForm) -> int:
    # Protects the desk, and single numbers, against floods of complaints.
    page = form.cleaned_data.get("about", "")
    if consume(request, "office", PER_CONNECTION) and (
        not page or consume(request, "office-about", PER_DISPUTED_PAGE, key=page)
    ):
        return HTTPStatus.OK
    form.add_error(
        None,
        _(
            "Much was written from here in the last hour. Try again in an hour: what you typed is "
            "still here."
        ),
    )
    return HTTPStatus.TOO_MANY_REQUESTS


def thank_for_letter(request: HttpRequest, case: Case) -> HttpResponse:
    sentence = _(
        "It has arrived, under the number %(number)s. Keep the address of this page; we also send "
        "it to you by mail (three mails a day at most)."
    )
    messages.success(request, sentence % {"number": case.number})
    return redirect("case", cases.make_case_token(case))


@everyone
@never_cache
@require_safe
def show_case(request: HttpRequest, token: str) -> HttpResponse:
    found = cases.find_case_by_token(token)
    if found is None:
        raise Http404
    errata = found.revision.errata.order_by("pk") if found.revision else []
    values = {
        "case": found,
        "subject": find_subject(found.page) if found.page else None,
        "errata": errata,
    }
    answer = render(request, "office/public/case.html", values)
    answer["X-Robots-Tag"] = "noindex"
    return answer


READ_BY_MAIL = gettext_lazy(
    "It leaves as a mail, in the language of the letter, and stands on the page of the link."
)


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


@allow(*READERS)
@require_safe
def list_cases(request: UserRequest) -> HttpResponse:
    # Unanswered first, the earliest due before all; then the others, the latest first.
    is_waiting = Q(state__in=[Case.State.RECEIVED, Case.State.LOOKED_AT])
    waits = models.Case(When(is_waiting, then=0), default=1, output_field=models.IntegerField())
    due = models.Case(When(is_waiting, then="due_on"))
    rows = (
        cases_readable_by(request.user)
        .order_by(waits, due, "-pk")
        .select_related("handled_by__person")
    )
    page = paginate(request, rows)
    today = timezone.localdate()
    late = {case.pk for case in page if case.is_late(today)}
    return render(request, "office/desk/cases.html", {"page": page, "late": late})


@allow(*READERS)
@page_or_form
def desk_case(request: UserRequest, number: int) -> HttpResponse:
    user = request.user
    case = get_readable_case(user, number)
    subject = find_subject(case.page) if case.page else None
    shown = make_case_forms(request, case, subject)
    step = request.POST.get("step", "")
    if step in shown and shown[step].carries_out(
        partial(ACTS[step], case), by=user, version=posted_version(request)
    ):
        return redirect_after_step(request, step, get_readable_case(user, number))
    return render_case(request, get_readable_case(user, number), subject, shown)


def get_readable_case(user: User, number: int) -> Case:
    rows = cases_readable_by(user).select_related(
        "sent_by__person__player", "handled_by", "revision__stage__game"
    )
    return get_object_or_404(rows, pk=number)


ACTS: dict[str, Callable[..., object]] = {
    "take": cases.take_case,
    "answer": cases.answer_case,
    "correct": cases.begin_case_correction,
    "close": cases.close_case,
}


def make_case_forms(
    request: UserRequest, case: Case, subject: Subject | None
) -> dict[str, UseCaseForm]:
    words = {"answer": case.answer, "finding": case.finding}
    shown: dict[str, UseCaseForm] = {
        "take": ButtonForm(posted_step(request, "take")),
        "answer": AnswerForm(posted_step(request, "answer"), prefix="answer", initial=words),
        "close": ButtonForm(posted_step(request, "close")),
    }
    if case.is_complaint and case.revision_id is None:
        stages = Stage.objects.managed_by(request.user).filter(status__in=["closed", "corrected"])
        begun = {
            "stage": subject.stage if subject else None,
            "reason": _("Complaint %(n)s: ") % {"n": case.number},
        }
        ordered = stages.select_related("game", "season").order_by("-ends_on", "slug")
        shown["correct"] = CorrectionForm(
            posted_step(request, "correct"), prefix="correct", initial=begun, stages=ordered
        )
    return shown


def redirect_after_step(request: HttpRequest, step: str, case: Case) -> HttpResponse:
    if step == "correct" and case.revision:
        messages.success(
            request, _("The correction has begun: change the results, then close them.")
        )
        return redirect("admin:stage-results", case.revision.stage_id)
    state = {"number": case.number, "state": case.get_state_display()}
    messages.success(request, _("Done. %(number)s is now: %(state)s.") % state)
    return redirect("desk-case", case.pk)


def render_case(
    request: HttpRequest, case: Case, subject: Subject | None, shown: dict[str, UseCaseForm]
) -> HttpResponse:
    values = {
        "case": case,
        "subject": subject,
        "forms": shown,
        "is_late": case.is_late(timezone.localdate()),
        "writer": getattr(getattr(case.sent_by, "person", None), "player", None),
        "history": AuditEntry.objects.of_row(case)[:20],
    }
    return render_forms(request, "office/desk/case.html", values, *shown.values())
