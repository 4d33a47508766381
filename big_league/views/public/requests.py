"""Requesting a tournament, and following the request; works without JavaScript."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from big_league import links
from big_league.forms import RequestForm, copy_last_request, request_initial
from big_league.labels import hint_text
from big_league.models import Event
from big_league.services import event_requests
from pergioco.core.limits import consume
from pergioco.core.models import User
from pergioco.core.policy import everyone, user_or_none

PER_CONNECTION = "20/h/ip"


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_event(request: HttpRequest) -> HttpResponse:
    user = user_or_none(request)
    last = event_requests.last_request_of(user) if user else None
    if request.method != "POST":
        copied = last if "like" in request.GET else None
        return render_request(
            request, RequestForm(initial=request_defaults(user, copied)), last=last
        )
    form = RequestForm(request.POST)
    if not form.is_valid() or "check" in request.POST:
        return render_request(request, form, last=last)
    return accept_request(request, form)


def request_defaults(user: User | None, last: Event | None) -> dict[str, object]:
    if last is not None:
        return dict(copy_last_request(last))
    person = getattr(user, "person", None)
    own = {"organizer_name": str(person), "organizer_phone": person.phone} if person else {}
    return own | ({"organizer_email": user.email} if user else {})


def render_request(
    request: HttpRequest,
    form: RequestForm,
    *,
    last: Event | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    hints = form_hints(form) if form.is_bound and form.is_valid() else []
    values = {
        "form": form,
        "hints": hints,
        "last": last,
        "is_checked": form.is_bound and form.is_valid(),
    }
    return render(request, "big_league/events/request.html", values, status=status)


def form_hints(form: RequestForm) -> list[str]:
    found = event_requests.hints_about_request(form.cleaned_data, form.chosen, timezone.now())
    return [hint_text(hint, form.chosen) for hint in found]


def accept_request(request: HttpRequest, form: RequestForm) -> HttpResponse:
    if not consume(request, "big-request", PER_CONNECTION):
        form.add_error(
            None,
            _(
                "Many requests came from here in the last hour. Try again in an hour: what you "
                "typed is still here."
            ),
        )
        return render_request(request, form, status=HTTPStatus.TOO_MANY_REQUESTS)
    by = user_or_none(request)
    if not form.carries_out(lambda **_typed: event_requests.send_request(form.sent(), by=by)):
        return render_request(request, form)
    messages.success(
        request,
        _(
            "Your request has arrived. Keep the address of this page; we also send it to you by "
            "mail (three mails a day at most)."
        ),
    )
    return redirect("big-request-state", links.request_token(form.result))


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def request_state(request: HttpRequest, token: str) -> HttpResponse:
    # Opened by the signed link; the request can change until it is decided.
    event = links.find_event(token)
    if event is None:
        raise Http404
    initial = request_initial(event) | {"version": event.version, "agrees": True}
    form = RequestForm(request.POST if request.method == "POST" else None, initial=initial)

    def change(version: int | None, **_typed: Any) -> Event:
        sent, by = form.sent(), user_or_none(request)
        return event_requests.change_request(event, sent, version=version or 0, by=by)

    if form.carries_out(change):
        messages.success(request, _("Saved. BIG looks at it again."))
        return redirect("big-request-state", token)
    if form.refusal:
        event.refresh_from_db()
    return render_request_state(request, event, token, form)


def render_request_state(
    request: HttpRequest, event: Event, token: str, form: RequestForm
) -> HttpResponse:
    games = list(event.games.select_related("big"))
    found = (
        event_requests.hints_about_request(vars(event), games, event.sent_at)
        if event.is_open_to_change
        else ()
    )
    hints = [hint_text(hint, games) for hint in found]
    values = {"event": event, "games": games, "form": form, "hints": hints, "token": token}
    status = HTTPStatus.CONFLICT if form.is_outdated else HTTPStatus.OK
    answer = render(request, "big_league/events/state.html", values, status=status)
    answer["X-Robots-Tag"] = "noindex"
    return answer
