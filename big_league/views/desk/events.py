"""Requests for tournaments of BIG, and an organizer's events."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Case, IntegerField, Q, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from big_league.labels import hint_text
from big_league.models import Event
from big_league.services import event_requests
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.forms import ReasonField, UseCaseForm, posted_version
from pergioco.core.models import User
from pergioco.core.policy import Role, UserRequest, allow, has_role
from pergioco.stages.models import Game

PER_PAGE = 50
State = Event.State
READ_BY_MAIL = gettext_lazy("The organizer reads it in a mail.")


class HomologationForm(UseCaseForm):
    game = forms.ModelChoiceField(
        Game.objects.filter(big__isnull=False),
        label=gettext_lazy("Counts for"),
        help_text=gettext_lazy("The championship of this game."),
    )


class AnswerForm(UseCaseForm):
    answer = ReasonField(label=gettext_lazy("What has to change"), help_text=READ_BY_MAIL)


class RefusalForm(UseCaseForm):
    answer = ReasonField(help_text=READ_BY_MAIL)


DECISIONS: dict[str, tuple[type[UseCaseForm], Callable[..., Event]]] = {
    State.HOMOLOGATED: (HomologationForm, event_requests.homologate_request),
    State.NEEDS_CHANGE: (AnswerForm, event_requests.ask_for_request_change),
    State.REFUSED: (RefusalForm, event_requests.refuse_request),
}


def visible_events(user: User) -> QuerySet[Event]:
    rows = Event.objects.all()
    if not has_role(user, Role.STAFF):
        rows = rows.filter(Q(sent_by=user) | Q(stage__organizers=user)).distinct()
    return rows


@allow(Role.STAFF, Role.BIG_ORGANIZER)
@require_safe
def list_events(request: UserRequest) -> HttpResponse:
    waits = Case(When(state=State.SENT, then=0), default=1, output_field=IntegerField())
    since = Case(When(state=State.SENT, then="sent_at"))
    rows = (
        visible_events(request.user)
        .order_by(waits, since, "-starts_at", "-pk")
        .prefetch_related("games")
    )
    page = Paginator(rows.select_related("stage__game"), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "big_league/desk/events.html", {"page": page})


@allow(Role.STAFF, Role.BIG_ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def decide_event(request: UserRequest, number: int) -> HttpResponse:
    user = request.user
    event = get_visible_event(user, number)
    decision = request.POST.get("decision", "")
    if decision not in DECISIONS or not has_role(user, Role.STAFF):
        return render_event(request, event)
    make, act = DECISIONS[decision]
    form = make(request.POST, prefix=decision)
    if form.carries_out(partial(act, event), by=user, version=posted_version(request)):
        messages.success(
            request, _("Done. The request is now: %(state)s.") % {"state": State(decision).label}
        )
        return redirect("desk-big-event", number)
    return render_event(request, get_visible_event(user, number), **{decision: form})


def get_visible_event(user: User, number: int) -> Event:
    rows = visible_events(user).select_related(
        "stage__game", "stage__season", "sent_by", "decided_by"
    )
    return get_object_or_404(rows, pk=number)


def render_event(request: HttpRequest, event: Event, **typed: UseCaseForm) -> HttpResponse:
    # Keeps what was typed, also after a conflict.
    games = list(event.games.select_related("big"))
    offered = set(DECISIONS) if may_decide_event(request, event) else set(typed)
    initial = {"game": games[0]} if len(games) == 1 else {}
    outdated = any(form.is_outdated for form in typed.values())
    found_out = (
        event_requests.hints_about_request(vars(event), games, event.sent_at)
        if event.is_open_to_change
        else ()
    )
    values = {
        "event": event,
        "games": games,
        "hints": [hint_text(hint, games) for hint in found_out],
        "decisions": {
            State(state).name: typed.get(state) or make(prefix=state, initial=initial)
            for state, (make, _act) in DECISIONS.items()
            if state in offered
        },
        "outdated": outdated,
        "history": event_history(event) if has_role(request.user, Role.STAFF) else [],
    }
    return render(
        request,
        "big_league/desk/event.html",
        values,
        status=HTTPStatus.CONFLICT if outdated else HTTPStatus.OK,
    )


def event_history(event: Event) -> QuerySet[AuditEntry]:
    rows = AuditEntry.objects.filter(object_type="big_league.event", object_id=str(event.pk))
    return rows.select_related("actor").order_by("-at", "-pk")[:20]


def may_decide_event(request: HttpRequest, event: Event) -> bool:
    return event.is_open_to_change and has_role(request.user, Role.STAFF)
