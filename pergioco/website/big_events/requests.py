"""Asking BIG for a tournament, and following what becomes of it. All of it works without a script."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from big_league.events import asking, links
from big_league.events.models import Event
from big_league.events.words import hint_words
from pergioco.players.models import User
from pergioco.players.policy import everyone
from pergioco.players.refusal import Outdated, Refused
from pergioco.website.big_events.forms import RequestForm, as_typed, like_the_last
from pergioco.website.limits import is_within

PER_CONNECTION, PER_ADDRESS = "20/h/ip", "5/h/key"


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    last = asking.last_of(user) if user else None
    if request.method != "POST":
        copied = last if "like" in request.GET else None
        return page(request, RequestForm(initial=begun_from(user, copied)), last=last)
    form = RequestForm(request.POST)
    if not form.is_valid() or "check" in request.POST:
        return page(request, form, last=last)
    return accept(request, form)


def signed_in(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def begun_from(user: User | None, last: Event | None) -> dict[str, object]:
    """Whoever is signed in does not type name and address again."""
    if last is not None:
        return dict(like_the_last(last))
    person = getattr(user, "person", None)
    own = {"organizer_name": str(person), "organizer_phone": person.phone} if person else {}
    return own | ({"organizer_email": user.email} if user else {})


def page(
    request: HttpRequest, form: RequestForm, *, last: Event | None = None, status: int = HTTPStatus.OK
) -> HttpResponse:
    hints = hints_of(form) if form.is_bound and form.is_valid() else []
    values = {"form": form, "hints": hints, "last": last, "is_checked": form.is_bound and form.is_valid()}
    return render(request, "website/big_events/request.html", values, status=status)


def hints_of(form: RequestForm) -> list[str]:
    found = asking.hints_about(form.cleaned_data, form.chosen, timezone.now())
    return [hint_words(hint, form.chosen) for hint in found]


def accept(request: HttpRequest, form: RequestForm) -> HttpResponse:
    if not is_allowed(request, form.cleaned_data["organizer_email"]):
        form.add_error(
            None,
            _("Many requests came from here in the last hour. Try again in an hour: what you typed is still here."),
        )
        return page(request, form, status=HTTPStatus.TOO_MANY_REQUESTS)
    try:
        event = asking.send(form.sent(), by=signed_in(request))
    except Refused as refusal:
        form.add_error(refusal.field or None, str(refusal.sentence))
        return page(request, form)
    messages.success(request, _("Your request has arrived. We wrote to you: keep that mail, its link leads here."))
    return redirect("big-request-state", links.token(event))


def is_allowed(request: HttpRequest, address: str) -> bool:
    """Nobody fills the desk, nor somebody else's mailbox."""
    return is_within(request, "big-request", PER_CONNECTION) and is_within(
        request, "big-request-to", PER_ADDRESS, key=address.lower()
    )


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def state(request: HttpRequest, token: str) -> HttpResponse:
    """Opened by the signed link. As long as nobody has decided, what was asked for can be changed here."""
    event = links.event_behind(token)
    if event is None:
        raise Http404
    if request.method != "POST":
        return state_page(request, event, token)
    form = RequestForm(request.POST)
    if form.is_valid():
        return write(request, event, token, form)
    return state_page(request, event, token, form)


def write(request: HttpRequest, event: Event, token: str, form: RequestForm) -> HttpResponse:
    try:
        asking.change(event, form.sent(), version=form.cleaned_data["version"] or 0, by=signed_in(request))
    except Refused as refusal:
        form.add_error(refusal.field or None, str(refusal.sentence))
        event.refresh_from_db()
        status = HTTPStatus.CONFLICT if isinstance(refusal, Outdated) else HTTPStatus.OK
        return state_page(request, event, token, form, status)
    messages.success(request, _("Saved. BIG looks at it again."))
    return redirect("big-request-state", token)


def state_page(
    request: HttpRequest,
    event: Event,
    token: str,
    form: RequestForm | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    if form is None:
        form = RequestForm(initial=as_typed(event) | {"version": event.version, "agrees": True})
    games = list(event.games.select_related("big"))
    found = asking.hints_about(vars(event), games, event.sent_at) if event.is_open_to_change else ()
    hints = [hint_words(hint, games) for hint in found]
    values = {"event": event, "games": games, "form": form, "hints": hints, "token": token}
    answer = render(request, "website/big_events/state.html", values, status=status)
    answer["X-Robots-Tag"] = "noindex"
    return answer
