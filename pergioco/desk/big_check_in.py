"""The entrance of a BIG tournament: who is there, who came without signing up, and the sheet to print."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from big_league.day import checking_in
from big_league.day.checking_in import NEW, Seen, stage_of
from big_league.day.reading import Day, day_of
from big_league.events import signing_up
from big_league.events.guest_form import GuestForm
from big_league.events.models import Event, SignUp
from pergioco.desk.big_events import found
from pergioco.desk.big_showing import steps_of
from pergioco.players.models import Person, User
from pergioco.players.naming import name_for_staff
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Refused
from pergioco.rulekit.folding import fold

ORGANIZERS = (Role.STAFF, Role.BIG_ORGANIZER)


@dataclass(frozen=True)
class Row:
    """One who is expected, or came: `place` in the waiting list, people on file who may be the same."""

    signup: SignUp
    name: str
    place: int
    alike: list[Person]
    left_after: int | None


def own_event(request: HttpRequest, number: int) -> Event:
    """Of this organizer, homologated; any other does not exist."""
    event = found(cast("User", request.user), number)
    return get_object_or_404(Event.objects.homologated(), pk=event.pk)


def rows_of(event: Event, day: Day) -> list[Row]:
    """By name, which is how people are looked for at an entrance."""
    signups = list(with_people(event.signups.coming()))
    line, alike = signing_up.line_of(event), checking_in.alike_to(signups)
    left = {entry.player_id: entry.withdrew_after_round for entry in day.entries}
    rows = [
        Row(one, name_of(one), line.place_of(one.pk), alike.get(one.pk, []), left.get(one.player_id or 0))
        for one in signups
    ]
    return sorted(rows, key=lambda row: (fold(row.name), row.signup.pk))


def with_people(signups: QuerySet[SignUp]) -> QuerySet[SignUp]:
    rows = signups.select_related("player__person", "player__merged_into__person")
    return rows.prefetch_related("player__accounts__nicknames")


def name_of(signup: SignUp) -> str:
    """Surname first, as in the list."""
    if signup.player is None:
        return f"{signup.last_name} {signup.first_name}"
    person = getattr(signup.player.merged_into or signup.player, "person", None)
    return f"{person.last_name} {person.first_name}" if person else name_for_staff(signup.player)


class MarkForm(forms.Form):
    signup = forms.IntegerField()
    presence = forms.ChoiceField(choices=SignUp.Presence.choices, required=False)
    brings_box = forms.BooleanField(required=False)
    who = forms.CharField(required=False, max_length=32)


class WalkInForm(GuestForm):
    who = forms.CharField(required=False, max_length=32, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["brings_box"].label = gettext_lazy("Brings a box of the game")
        self.fields["agrees"].label = gettext_lazy("Becomes a member of Board Italian Gamers: free, without an end.")


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def check_in(request: HttpRequest, number: int) -> HttpResponse:
    event = own_event(request, number)
    if request.method == "POST":
        if "open" in request.POST:
            attempt(request, partial(checking_in.open_doors, event, by=cast("User", request.user)))
        else:
            note(request, event)
        return redirect(f"{request.path}#s{request.POST.get('signup', '')}")
    return render(request, "desk/big_check_in.html", values_of(event))


def values_of(event: Event) -> dict[str, Any]:
    day = day_of(stage_of(event))
    rows = rows_of(event, day)
    there = [row for row in rows if row.signup.presence == SignUp.Presence.PRESENT]
    return {
        "event": event,
        "stage": event.stage,
        "rows": rows,
        "present": len(there),
        "boxes": sum(row.signup.brings_box for row in there),
        "expected": sum(not row.signup.presence for row in rows),
        "NEW": NEW,
        "steps": steps_of(event, day, "check-in"),
        "round": len(day.facts),
    }


def note(request: HttpRequest, event: Event) -> None:
    form = MarkForm(request.POST)
    if not form.is_valid():
        messages.warning(request, _("This was not understood. Reload the page."))
        return
    row = get_object_or_404(event.signups.coming(), pk=form.cleaned_data["signup"])
    seen = Seen(*(form.cleaned_data[name] for name in ("presence", "brings_box", "who")))
    attempt(request, partial(checking_in.mark, row, seen, by=cast("User", request.user)))


def attempt(request: HttpRequest, act: Callable[[], object]) -> bool:
    try:
        act()
    except Refused as refusal:
        messages.warning(request, str(refusal.sentence))
        return False
    return True


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def walk_in(request: HttpRequest, number: int) -> HttpResponse:
    event = own_event(request, number)
    form = WalkInForm(request.POST if request.method == "POST" else None)
    alike: list[Person] = []
    if form.is_bound and form.is_valid():
        try:
            who = form.cleaned_data["who"] or request.POST.get("same", "")
            made = checking_in.walk_in(event, form.wanted(), by=cast("User", request.user), who=who)
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal.sentence))
            alike = alike_to(form) if refusal.field == "who" else []
        else:
            messages.success(request, _("%(name)s is in.") % {"name": name_of(made)})
            return redirect("desk-big-walk-in", event.pk)
    return render(request, "desk/big_walk_in.html", {"event": event, "form": form, "alike": alike, "NEW": NEW})


def alike_to(form: WalkInForm) -> list[Person]:
    guest = SignUp(pk=0, **form.wanted().person)
    return checking_in.alike_to([guest])[0]


@allow(*ORGANIZERS)
@require_safe
def sheet(request: HttpRequest, number: int) -> HttpResponse:
    """To print and to sign: what was typed beforehand, and empty lines."""
    event = own_event(request, number)
    return render(request, "desk/big_attendance.html", values_of(event) | {"empty_lines": range(10)})
