"""The review queue: is this person who they say they are?"""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.desk.forms import ButtonForm, ReasonField, SearchForm, UseCaseForm
from pergioco.desk.search import matching
from pergioco.players import reviewing
from pergioco.players.duplicates import candidates_for
from pergioco.players.models import AuditEntry, Player, Registration, User
from pergioco.players.policy import Role, allow

PER_PAGE = 50
State = Registration.State
LISTS = {"unseen": reviewing.never_seen, "back": reviewing.come_back, "all": reviewing.in_review}


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
    """One message per field of the registration, in words that the player will read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in reviewing.CORRECTABLE:
            label = str(reviewing.label_of(name)).capitalize()
            self.fields[name] = forms.CharField(label=label, required=False, max_length=500)


class RefusalForm(UseCaseForm):
    reason = ReasonField(help_text=gettext_lazy("The player reads it in a mail."))


class ReopenForm(UseCaseForm):
    reason = ReasonField(required=False)


def ask(registration: Registration, *, by: User, version: int, **wanted: str) -> None:
    reviewing.ask_for_correction(registration, wanted, by=by, version=version)


DECISIONS: dict[str, tuple[type[UseCaseForm], Callable[..., None]]] = {
    State.VERIFIED: (ButtonForm, reviewing.verify),
    State.NEEDS_CORRECTION: (CorrectionForm, ask),
    State.REFUSED: (RefusalForm, reviewing.refuse),
    State.NEW: (ReopenForm, reviewing.reopen),
}


@allow(Role.STAFF)
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    form = QueueForm(request.GET or {"state": "unseen"})
    wanted = form.cleaned_data if form.is_valid() else {"q": "", "state": ""}
    rows = listed(**wanted).select_related("player__person").prefetch_related("player__accounts__nicknames")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/registrations.html", {"form": form, "page": page})


def listed(*, state: str, q: str) -> QuerySet[Registration]:
    rows = LISTS[state]() if state in LISTS else reviewing.in_review()
    if state in State.values:
        rows = rows.filter(state=state)
    return rows.filter(player__in=Player.objects.filter(matching(q))) if q else rows


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, public_id: str) -> HttpResponse:
    registration = found(public_id)
    decision = request.POST.get("decision", "")
    if decision not in DECISIONS:
        return page(request, registration)
    make, act = DECISIONS[decision]
    form = make(request.POST, prefix=decision)
    by = cast("User", request.user)
    if form.carries_out(partial(act, registration), by=by, version=number(request.POST.get("version", ""))):
        messages.success(request, _("Done. The registration is now: %(state)s.") % {"state": State(decision).label})
        return redirect("desk-registration", public_id)
    return page(request, found(public_id), **{decision: form})


def found(public_id: str) -> Registration:
    rows = reviewing.in_review().select_related("player__person__user", "reviewed_by")
    return get_object_or_404(rows, player__public_id=public_id)


def number(text: str) -> int:
    """0, which is no version, for whatever is no number."""
    return int(text) if text.isascii() and text.isdigit() else 0


def page(request: HttpRequest, registration: Registration, **typed: UseCaseForm) -> HttpResponse:
    """What was typed stays on the page, also when the decision is no longer to be taken."""
    player = registration.player
    offered = {*reviewing.decisions_on(registration), *typed}
    forms_by_state = {
        state.name: typed.get(state) or DECISIONS[state][0](prefix=state) for state in State if state in offered
    }
    outdated = any(form.is_outdated for form in typed.values())
    values = {
        "registration": registration,
        "player": player,
        "accounts": player.accounts.select_related("proved_by").prefetch_related("nicknames"),
        "consents": player.consents.all(),
        "candidates": candidates_for(player).with_names().prefetch_related("accounts__nicknames"),
        "history": AuditEntry.objects.about(player).select_related("actor")[:20],
        "asked": [(reviewing.label_of(name), text) for name, text in registration.messages.items()],
        "decisions": forms_by_state,
        "outdated": outdated,
    }
    return render(request, "desk/registration.html", values, status=HTTPStatus.CONFLICT if outdated else HTTPStatus.OK)
