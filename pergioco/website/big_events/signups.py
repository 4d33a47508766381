"""Signing up for an event, and off again by one's own link. Looking at it changes nothing."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from big_league.events import links, signing_up
from big_league.events.guest_form import BoxForm, GuestForm
from big_league.events.models import Event, SignUp
from pergioco.players.models import Person
from pergioco.players.policy import everyone
from pergioco.players.refusal import Refused
from pergioco.website.big_events.events import homologated, person_of, values_of
from pergioco.website.big_events.requests import signed_in
from pergioco.website.limits import is_within

PER_CONNECTION, PER_ADDRESS = "60/h/ip", "10/h/key"


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """A player who is signed in says one thing only: a box or none."""
    event, person = homologated(slug), person_of(request)
    form = (BoxForm if person else GuestForm)(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        return accept(request, event, form, person)
    return page(request, event, form)


def page(request: HttpRequest, event: Event, form: BoxForm, status: int = HTTPStatus.OK) -> HttpResponse:
    values = values_of(event) | {"form": form}
    return render(request, "website/big_events/join.html", values, status=status)


def accept(request: HttpRequest, event: Event, form: BoxForm, person: Person | None) -> HttpResponse:
    if person is None and not is_allowed(request, form.cleaned_data["email"]):
        form.add_error(None, _("Many people signed up from here in the last hour. Try again in an hour."))
        return page(request, event, form, HTTPStatus.TOO_MANY_REQUESTS)
    player, wanted = person.player if person else None, form.wanted()
    try:
        made = signing_up.join(event, wanted, player=player, by=signed_in(request))
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal.sentence))
        return page(request, event, form)
    if player is None and made.submission != wanted.submission:
        messages.info(request, _("You are signed up already. We wrote to you once more: open the link in that mail."))
        return redirect("big-event", event.stage.slug if event.stage else "")
    messages.success(request, _("You are signed up. We wrote to you: the link in that mail leads here."))
    return redirect("big-signup", links.signup_token(made))


def is_allowed(request: HttpRequest, address: str) -> bool:
    return is_within(request, "big-signup", PER_CONNECTION) and is_within(
        request, "big-signup-to", PER_ADDRESS, key=address.lower()
    )


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest, token: str) -> HttpResponse:
    """By the signed link: the seat or the place in the line, the box, and “I cannot come”."""
    signup = links.signup_behind(token)
    if signup is None:
        raise Http404
    if request.method == "POST":
        change(request, signup)
        return redirect("big-signup", token)
    values = values_of(signup.event) | {"own": signup, "token": token}
    values["own_place"] = signing_up.line_of(signup.event).place_of(signup.pk)
    answer = render(request, "website/big_events/signup.html", values)
    answer["X-Robots-Tag"] = "noindex"
    return answer


def change(request: HttpRequest, signup: SignUp) -> None:
    by = signed_in(request)
    try:
        if "leave" in request.POST:
            signing_up.leave(signup, by=by)
            messages.success(request, _("You are signed off: your seat is free for somebody else."))
        elif "box" in request.POST:
            signing_up.change_box(signup, brings_box=request.POST["box"] == "yes", by=by)
            messages.success(request, _("Saved."))
    except Refused as refusal:
        messages.warning(request, str(refusal.sentence))
