"""Staff review registrations, and manage event codes."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from pergioco.core.addresses import absolute_url
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.displays import draw_qr_code
from pergioco.core.forms import (
    ButtonForm,
    MomentField,
    ReasonField,
    SearchForm,
    UseCaseForm,
    posted_version,
)
from pergioco.core.models import User
from pergioco.core.pages import page_or_form, paginate, render_forms
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.players.models import EventCode, Player, Registration
from pergioco.players.queries.search import staff_search_filter
from pergioco.players.services import event_codes, reviewing
from pergioco.players.services.claims import find_duplicates_for_staff

State = Registration.State
LISTS = {
    "unseen": reviewing.registrations_never_reviewed,
    "back": reviewing.registrations_to_review_again,
    "all": reviewing.registrations_in_review,
}


class QueueForm(SearchForm):
    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[
            ("unseen", gettext_lazy("new")),
            ("back", gettext_lazy("answered or changed")),
            *[choice for choice in State.choices if choice[0] != State.NEW],
            ("all", gettext_lazy("all")),
        ],
    )


class CorrectionForm(UseCaseForm):
    """One message per field. The player reads it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in reviewing.CORRECTABLE:
            label = str(reviewing.correction_label(name)).capitalize()
            self.fields[name] = forms.CharField(label=label, required=False, max_length=500)


class RefusalForm(UseCaseForm):
    reason = ReasonField(help_text=gettext_lazy("The player reads it in a mail."))


class ReopenForm(UseCaseForm):
    reason = ReasonField(required=False)


def ask_for_correction(
    registration: Registration, *, by: User, version: int, **wanted: str
) -> None:
    reviewing.ask_for_correction(registration, wanted, by=by, version=version)


DECISIONS: dict[str, tuple[type[UseCaseForm], Callable[..., None]]] = {
    State.VERIFIED: (ButtonForm, reviewing.verify_registration),
    State.NEEDS_CORRECTION: (CorrectionForm, ask_for_correction),
    State.REFUSED: (RefusalForm, reviewing.refuse_registration),
    State.NEW: (ReopenForm, reviewing.reopen_registration),
}


@allow(Role.STAFF)
@require_safe
def list_registrations(request: HttpRequest) -> HttpResponse:
    form = QueueForm(request.GET or {"state": "unseen"})
    wanted = form.cleaned_data if form.is_valid() else {"q": "", "state": ""}
    rows = (
        filter_registrations(**wanted)
        .select_related("player__person")
        .prefetch_related("player__accounts__nicknames")
    )
    page = paginate(request, rows)
    return render(request, "players/desk/registrations.html", {"form": form, "page": page})


def filter_registrations(*, state: str, q: str) -> QuerySet[Registration]:
    rows = LISTS[state]() if state in LISTS else reviewing.registrations_in_review()
    if state in State.values:
        rows = rows.filter(state=state)
    return rows.filter(player__in=Player.objects.filter(staff_search_filter(q))) if q else rows


@allow(Role.STAFF)
@page_or_form
def registration_page(request: UserRequest, public_id: str) -> HttpResponse:
    registration = get_registration_in_review(public_id)
    decision = request.POST.get("decision", "")
    if decision not in DECISIONS:
        return render_registration_page(request, registration)
    make, act = DECISIONS[decision]
    form = make(request.POST, prefix=decision)
    by = request.user
    if form.carries_out(partial(act, registration), by=by, version=posted_version(request)):
        messages.success(
            request,
            _("Done. The registration is now: %(state)s.") % {"state": State(decision).label},
        )
        return redirect("desk-registration", public_id)
    return render_registration_page(
        request, get_registration_in_review(public_id), **{decision: form}
    )


def get_registration_in_review(public_id: str) -> Registration:
    rows = reviewing.registrations_in_review().select_related("player__person__user", "reviewed_by")
    return get_object_or_404(rows, player__public_id=public_id)


def render_registration_page(
    request: HttpRequest, registration: Registration, **typed: UseCaseForm
) -> HttpResponse:
    player = registration.player
    # A form with input stays, also when its decision is no longer possible.
    offered = {*reviewing.possible_decisions(registration), *typed}
    forms_by_state = {
        state.name: typed.get(state) or DECISIONS[state][0](prefix=state)
        for state in State
        if state in offered
    }
    values = {
        "registration": registration,
        "player": player,
        "accounts": player.accounts.select_related("proved_by").prefetch_related("nicknames"),
        "consents": player.consents.all(),
        "candidates": find_duplicates_for_staff(player).with_staff_names(),
        "history": AuditEntry.objects.about(player).select_related("actor")[:20],
        "asked": [
            (reviewing.correction_label(name), text) for name, text in registration.messages.items()
        ],
        "decisions": forms_by_state,
    }
    return render_forms(request, "players/desk/registration.html", values, *typed.values())


class EventCodeForm(UseCaseForm):
    note = forms.CharField(label=gettext_lazy("What it is for"), max_length=200)
    valid_from = MomentField(label=gettext_lazy("Valid from"))
    valid_to = MomentField(label=gettext_lazy("Valid until"))
    uses = forms.IntegerField(
        label=gettext_lazy("How many people"),
        min_value=1,
        max_value=event_codes.MOST_USES,
        initial=64,
    )


def event_code_url(code: EventCode) -> str:
    return absolute_url(reverse("register") + "?" + urlencode({"event": code.code}))


@allow(Role.ORGANIZER, Role.STAFF)
@page_or_form
def event_codes_page(request: UserRequest) -> HttpResponse:
    by = request.user
    form = EventCodeForm(request.POST or None)
    if form.carries_out(event_codes.make_event_code, by=by):
        messages.success(request, _("The code is made. Its link is in the list."))
        return redirect("desk-event-codes")
    rows = event_codes.event_codes_managed_by(by).select_related("created_by")
    page = paginate(request, rows)
    now = timezone.now()
    listed = [(code, event_code_url(code), code.is_open(now)) for code in page]
    return render(
        request,
        "players/desk/event_codes.html",
        {"form": form, "page": page, "listed": listed, "now": now},
    )


@allow(Role.ORGANIZER, Role.STAFF)
@page_or_form
def event_code_page(request: UserRequest, number: int) -> HttpResponse:
    """A printable slip with the QR code, and the button that closes the code."""
    by = request.user
    code = get_object_or_404(event_codes.event_codes_managed_by(by), pk=number)
    if request.method == "POST":
        event_codes.close_event_code(code, by=by)
        messages.success(request, _("The code is closed: nobody can use it any more."))
        return redirect("desk-event-codes")
    link = event_code_url(code)
    values = {
        "code": code,
        "link": link,
        "qr": draw_qr_code(link),
        "is_open": code.is_open(timezone.now()),
    }
    return render(request, "players/desk/event_code.html", values)
