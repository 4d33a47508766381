"""Signing up for an event, and signing off by the link in the mail."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from big_league import links
from big_league.forms import BoxForm, GuestForm
from big_league.models import Event, SignUp
from big_league.services import sign_ups
from big_league.views.public.events import event_values, get_homologated, signed_in_person
from pergioco.core.limits import consume
from pergioco.core.policy import everyone, user_or_none
from pergioco.core.refusal import Refused
from pergioco.players.models import Person

PER_CONNECTION = "60/h/ip"


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join_event(request: HttpRequest, slug: str) -> HttpResponse:
    event, person = get_homologated(slug), signed_in_person(request)
    form = (BoxForm if person else GuestForm)(request.POST if request.method == "POST" else None)
    if form.is_valid():
        return accept_sign_up(request, event, form, person)
    return render_join(request, event, form)


def render_join(
    request: HttpRequest, event: Event, form: BoxForm, status: int = HTTPStatus.OK
) -> HttpResponse:
    values = event_values(event) | {"form": form}
    return render(request, "big_league/events/join.html", values, status=status)


def accept_sign_up(
    request: HttpRequest, event: Event, form: BoxForm, person: Person | None
) -> HttpResponse:
    if person is None and not consume(request, "big-signup", PER_CONNECTION, more_in_halls=True):
        form.add_error(
            None, _("Many people signed up from here in the last hour. Try again in an hour.")
        )
        return render_join(request, event, form, HTTPStatus.TOO_MANY_REQUESTS)
    player, wanted = person.player if person else None, form.wanted()
    by = user_or_none(request)
    if not form.carries_out(lambda **_typed: sign_ups.sign_up(event, wanted, player=player, by=by)):
        return render_join(request, event, form)
    if player is None and form.result.submission != wanted.submission:
        messages.info(
            request,
            _(
                "You are signed up already. Open the link in our mail to you: it comes once more, "
                "three times a day at most."
            ),
        )
        return redirect("big-event", event.stage.slug if event.stage else "")
    messages.success(
        request,
        _(
            "You are signed up. Keep the address of this page; we also send it to you by mail "
            "(three mails a day at most)."
        ),
    )
    return redirect("big-signup", links.signup_token(form.result))


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_sign_up(request: HttpRequest, token: str) -> HttpResponse:
    # Opened by the signed link.
    signup = links.find_signup(token)
    if signup is None:
        raise Http404
    if request.method == "POST":
        change_own_sign_up(request, signup)
        return redirect("big-signup", token)
    values = event_values(signup.event) | {"own": signup, "token": token}
    values["own_place"] = sign_ups.read_waiting_line(signup.event).place_of(signup.pk)
    answer = render(request, "big_league/events/signup.html", values)
    answer["X-Robots-Tag"] = "noindex"
    return answer


def change_own_sign_up(request: HttpRequest, signup: SignUp) -> None:
    by = user_or_none(request)
    try:
        if "leave" in request.POST:
            sign_ups.sign_off(signup, by=by)
            messages.success(request, _("You are signed off: your seat is free for somebody else."))
        elif "box" in request.POST:
            sign_ups.change_box(signup, brings_box=request.POST["box"] == "yes", by=by)
            messages.success(request, _("Saved."))
    except Refused as refusal:
        messages.warning(request, str(refusal.sentence))
