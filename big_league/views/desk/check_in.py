"""Check-in of a BIG tournament: presence, walk-ins, and the attendance sheet."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from big_league.day_facts import Day, load_day
from big_league.forms import GuestForm
from big_league.models import Event, SignUp
from big_league.services import attendance, sign_ups
from big_league.services.attendance import NEW_PLAYER, CheckInMark, homologated_stage
from big_league.views.desk.day_parts import day_steps
from big_league.views.desk.events import get_visible_event
from pergioco.core.forms import carry_out
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.players.models import Person
from pergioco.players.naming import name_for_staff
from pergioco.rulekit.text import fold

ORGANIZERS = (Role.STAFF, Role.BIG_ORGANIZER)
attempt = partial(carry_out, level=messages.WARNING)


@dataclass(frozen=True)
class CheckInRow:
    """`place` in the waiting list; `alike`: people on file who may be the same."""

    signup: SignUp
    name: str
    place: int
    alike: list[Person]
    left_after: int | None


def own_event(request: UserRequest, number: int) -> Event:
    # Events of other organizers answer 404.
    event = get_visible_event(request.user, number)
    return get_object_or_404(Event.objects.homologated(), pk=event.pk)


def check_in_rows(event: Event, day: Day) -> list[CheckInRow]:
    signups = list(signups_with_people(event.signups.coming()))
    line, alike = sign_ups.read_waiting_line(event), attendance.find_alike(signups)
    left = {entry.player_id: entry.withdrew_after_round for entry in day.entries}
    rows = [
        CheckInRow(
            one,
            list_name(one),
            line.place_of(one.pk),
            alike.get(one.pk, []),
            left.get(one.player_id or 0),
        )
        for one in signups
    ]
    return sorted(rows, key=lambda row: (fold(row.name), row.signup.pk))


def signups_with_people(signups: QuerySet[SignUp]) -> QuerySet[SignUp]:
    rows = signups.select_related("player__person", "player__merged_into__person")
    return rows.prefetch_related("player__accounts__nicknames")


def list_name(signup: SignUp) -> str:
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
        self.fields["agrees"].label = gettext_lazy(
            "Becomes a member of Board Italian Gamers: free, without an end."
        )


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def check_in_page(request: UserRequest, number: int) -> HttpResponse:
    event = own_event(request, number)
    if request.method == "POST":
        if "open" in request.POST:
            attempt(request, partial(attendance.open_doors, event, by=request.user))
        else:
            note_presence(request, event)
        return redirect(f"{request.path}#s{request.POST.get('signup', '')}")
    return render(request, "big_league/desk/check_in.html", check_in_values(event))


def check_in_values(event: Event) -> dict[str, Any]:
    day = load_day(homologated_stage(event))
    rows = check_in_rows(event, day)
    there = [row for row in rows if row.signup.presence == SignUp.Presence.PRESENT]
    return {
        "event": event,
        "stage": event.stage,
        "rows": rows,
        "present": len(there),
        "boxes": sum(row.signup.brings_box for row in there),
        "expected": sum(not row.signup.presence for row in rows),
        "NEW": NEW_PLAYER,
        "steps": day_steps(event, day, "check-in"),
        "round": len(day.facts),
    }


def note_presence(request: UserRequest, event: Event) -> None:
    form = MarkForm(request.POST)
    if not form.is_valid():
        messages.warning(request, _("This was not understood. Reload the page."))
        return
    row = get_object_or_404(event.signups.coming(), pk=form.cleaned_data["signup"])
    seen = CheckInMark(*(form.cleaned_data[name] for name in ("presence", "brings_box", "who")))
    attempt(request, partial(attendance.mark_presence, row, seen, by=request.user))


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def walk_in_page(request: UserRequest, number: int) -> HttpResponse:
    event = own_event(request, number)
    form = WalkInForm(request.POST if request.method == "POST" else None)

    def let_in(who: str, **_typed: Any) -> SignUp:
        who = who or request.POST.get("same", "")
        return attendance.record_walk_in(event, form.wanted(), by=request.user, who=who)

    if form.carries_out(let_in):
        messages.success(request, _("%(name)s is in.") % {"name": list_name(form.result)})
        return redirect("desk-big-walk-in", event.pk)
    is_alike = form.refusal is not None and form.refusal.field == "who"
    values = {"event": event, "form": form, "NEW": NEW_PLAYER}
    values["alike"] = people_alike(form) if is_alike else []
    return render(request, "big_league/desk/walk_in.html", values)


def people_alike(form: WalkInForm) -> list[Person]:
    guest = SignUp(pk=0, **form.wanted().person)
    return attendance.find_alike([guest])[0]


@allow(*ORGANIZERS)
@require_safe
def attendance_sheet(request: UserRequest, number: int) -> HttpResponse:
    event = own_event(request, number)
    return render(
        request,
        "big_league/desk/attendance.html",
        check_in_values(event) | {"empty_lines": range(10)},
    )
