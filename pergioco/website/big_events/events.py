"""The public page of an event, and the poster that leads to it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from big_league.events import signing_up
from big_league.events.guest_form import BoxForm
from big_league.events.links import signup_token
from big_league.events.models import Event, SignUp
from big_league.events.standing import Standing, standing_of, takes_signups
from big_league.events.words import standing_words
from pergioco.players.models import Person, User
from pergioco.players.policy import everyone
from pergioco.players.qr import qr_of
from pergioco.website.addresses import whole
from pergioco.website.big_events import results
from pergioco.website.screens import is_screen
from pergioco.website.stages import page
from pergioco.website.stages.seen import Seen, stages

MAP = "https://www.openstreetmap.org/search"


@everyone
@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    found = homologated(slug)
    seen = seen_of(found)
    if is_screen(request) and (wall := page.screen(request, seen)):
        return wall
    values = values_of(found)
    if values["takes_signups"]:
        values |= own_part(request, found)
    else:
        values |= results.values_of(request, seen)
    return render(request, "website/big_events/event.html", values)


@everyone
@require_safe
def poster(request: HttpRequest, slug: str) -> HttpResponse:
    """A4, in the language of its address."""
    found = homologated(slug)
    link = whole(reverse("big-event", args=[slug]))
    return render(request, "website/big_events/poster.html", values_of(found) | {"link": link, "qr": qr_of(link)})


def homologated(slug: str) -> Event:
    return get_object_or_404(Event.objects.homologated(), stage__slug=slug)


def seen_of(event: Event) -> Seen:
    assert event.stage is not None
    seen = Seen(stages().get(pk=event.stage.pk), today=timezone.localdate())
    event.stage = seen.stage
    return seen


def values_of(event: Event) -> dict[str, Any]:
    now = timezone.now()
    standing, line = standing_of(event, now), signing_up.line_of(event)
    seated = len(line.seated)
    return {
        "event": event,
        "stage": event.stage,
        "games": list(event.games.all()),
        "standing": standing,
        "is_full": standing == Standing.OPEN and seated == event.capacity,
        "standing_words": standing_words(event, standing, line),
        "takes_signups": takes_signups(event, now),
        "signed_up": seated,
        "waiting": len(line.waiting),
        "seats_left": None if event.capacity is None else event.capacity - seated,
        "map_link": f"{MAP}?{urlencode({'query': f'{event.address}, {event.city}'})}",
    }


def person_of(request: HttpRequest) -> Person | None:
    user = request.user
    return Person.objects.filter(user=user).select_related("player").first() if isinstance(user, User) else None


def own_part(request: HttpRequest, event: Event) -> dict[str, Any]:
    """A player who is signed in: the place in the line, or the button."""
    person = person_of(request)
    own = SignUp.objects.coming().filter(event=event, player=person.player).first() if person else None
    if own is not None:
        return {"own": own, "own_place": signing_up.line_of(event).place_of(own.pk), "token": signup_token(own)}
    return {"person": person, "form": BoxForm()} if person else {}
