"""Who is entered, who is there: at the desk, from a phone, and those whom nobody expected."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods
from django_countries.fields import CountryField

from pergioco.desk.forms import ButtonForm, SearchForm, UseCaseForm
from pergioco.desk.grid import called, names_of_entrants
from pergioco.desk.masters.listed import WHO, own_master
from pergioco.desk.people import ClubsForm
from pergioco.desk.search import known_by
from pergioco.players.clubs import set_clubs
from pergioco.players.models import Club, ClubMember, Player, User
from pergioco.players.policy import allow
from pergioco.players.qr import qr_of
from pergioco.players.refusal import Refused
from pergioco.rulekit.folding import fold
from pergioco.stages import entrants
from pergioco.stages.models import Entry, Stage
from risiko_master import presence

MOST_FOUND = 20
CONFLICT, UNFIT = 409, 422


class FindForm(SearchForm):
    q = forms.CharField(label=gettext_lazy("Name or public id"), required=False, max_length=200)


class PlayerForm(UseCaseForm):
    player = forms.ModelChoiceField(queryset=Player.objects.current(), to_field_name="public_id")


class WalkInForm(UseCaseForm):
    first_name = forms.CharField(label=gettext_lazy("First name"), max_length=100)
    last_name = forms.CharField(label=gettext_lazy("Surname"), max_length=100)
    city = forms.CharField(label=gettext_lazy("City"), max_length=100)
    country = CountryField(verbose_name=gettext_lazy("Country")).formfield(initial="IT")


class NewClubForm(UseCaseForm):
    name = forms.CharField(label=gettext_lazy("Name of the club or group"), max_length=120)
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=Club.Kind.choices)


class LeavesForm(UseCaseForm):
    after_round = forms.TypedChoiceField(
        label=gettext_lazy("Leaves"),
        choices=[
            ("", gettext_lazy("is still here")),
            ("0", gettext_lazy("never came")),
            ("1", gettext_lazy("after the first game")),
            ("2", gettext_lazy("after the second game")),
        ],
        coerce=int,
        empty_value=None,
        required=False,
    )


@dataclass(frozen=True)
class Listed:
    entry: Entry
    name: str
    clubs: str
    is_here: bool
    is_barred: bool

    @property
    def anchor(self) -> str:
        return f"e{self.entry.pk}"


def clubs_of(stage: Stage) -> dict[int, str]:
    """Player -> the names of his clubs and groups."""
    names: dict[int, list[str]] = defaultdict(list)
    rows = ClubMember.objects.filter(player__entries__stage=stage).order_by("club__name")
    for player, club in rows.values_list("player", "club__name"):
        names[player].append(club)
    return {player: ", ".join(own) for player, own in names.items()}


def listed(stage: Stage) -> list[Listed]:
    names, clubs = names_of_entrants(stage), clubs_of(stage)
    rows = list(stage.entries.select_related("presence"))
    barred = entrants.barred(stage, [row.player_id for row in rows])  # type: ignore[misc]
    found = [
        Listed(
            row, names[row.player_id], clubs.get(row.player_id, ""), hasattr(row, "presence"), row.player_id in barred
        )
        for row in rows
    ]
    return sorted(found, key=lambda one: fold(one.name))


def found(stage: Stage, question: str) -> list[tuple[Player, str]]:
    if not question:
        return []
    players = Player.objects.current().filter(known_by(question)).exclude(Q(entries__stage=stage)).distinct()
    named = players.with_names().prefetch_related("accounts__nicknames").order_by("person__last_name", "pk")
    return [(player, called(player)) for player in named[:MOST_FOUND]]


@allow(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    stage, by = own_master(request, slug), cast("User", request.user)
    walk_in = WalkInForm(request.POST if request.POST.get("step") == "walk-in" else None)
    if walk_in.carries_out(partial(walked_in, stage, by)):
        return back(request, stage)
    refusal = ""
    if request.POST.get("step") in STEPS:
        try:
            STEPS[request.POST["step"]](request, stage, by)
        except Refused as refused:
            refusal = str(refused.sentence)
        else:
            return back(request, stage)
    values = page_values(request, stage) | {"walk_in": walk_in, "refusal": refusal}
    return render(request, "desk/masters/entries.html", values, status=UNFIT if refusal else 200)


def back(request: HttpRequest, stage: Stage) -> HttpResponse:
    """To the row that was pressed."""
    number = request.POST.get("entry", "")
    anchor = f"#e{number}" if number.isdigit() else ""
    return redirect(reverse("risiko-entries", args=[stage.slug]) + anchor)


def page_values(request: HttpRequest, stage: Stage) -> dict[str, Any]:
    find = FindForm(request.GET)
    question = find.cleaned_data["q"] if find.is_valid() else ""
    here = request.build_absolute_uri(reverse("risiko-here", args=[presence.token(stage)]))
    is_announced = presence.is_announced(stage)
    return {
        "stage": stage,
        "rows": listed(stage),
        "count": presence.count(stage),
        "is_announced": is_announced,
        "is_drawn": presence.is_drawn(stage),
        "find": find,
        "question": question,
        "found": found(stage, question),
        "here": here,
        "qr": qr_of(here) if is_announced else "",
    }


def walked_in(stage: Stage, by: User, **typed: Any) -> Entry:
    return presence.walk_in(stage, presence.WalkIn(**typed), by=by)


def announce(_request: HttpRequest, stage: Stage, by: User) -> None:
    presence.announce(stage, by=by)


def entry_in(request: HttpRequest, stage: Stage) -> Entry:
    number = request.POST.get("entry", "")
    rows = stage.entries.select_related("stage", "player")
    return get_object_or_404(rows, pk=number if number.isdigit() else 0)


def check_in(request: HttpRequest, stage: Stage, by: User) -> None:
    presence.check_in(entry_in(request, stage), by=by)


def take_back(request: HttpRequest, stage: Stage, by: User) -> None:
    presence.take_back(entry_in(request, stage), by=by)


def add(request: HttpRequest, stage: Stage, by: User) -> None:
    """Entered beforehand; or there already, once the doors are open."""
    form = PlayerForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Find the player first, then enter him."))
    player = form.cleaned_data["player"]
    if presence.is_announced(stage):
        presence.enter(stage, player, by=by)
        return
    for _player, reason in entrants.add(stage, [player], by=by).kept_out:
        raise Refused(_("Not entered: %(reason)s.") % {"reason": reason})


STEPS: dict[str, Callable[[HttpRequest, Stage, User], None]] = {
    "announce": announce,
    "here": check_in,
    "gone": take_back,
    "add": add,
}


@allow(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One player: clubs and groups, when he leaves, or not entered after all."""
    stage, by = own_master(request, slug), cast("User", request.user)
    row = get_object_or_404(stage.entries.select_related("player__person", "stage"), pk=number)
    step = request.POST.get("step")
    own = [member.club_id for member in row.player.clubs.all()]
    forms_: dict[str, UseCaseForm] = {
        "clubs": ClubsForm(request.POST if step == "clubs" else None, initial={"clubs": own}),
        "new_club": NewClubForm(request.POST if step == "new_club" else None),
        "leaves": LeavesForm(
            request.POST if step == "leaves" else None, initial={"after_round": row.withdrew_after_round}
        ),
        "removal": ButtonForm(request.POST if step == "removal" else None),
    }
    acts: dict[str, Callable[..., object]] = {
        "clubs": partial(set_clubs, row.player, by=by),
        "new_club": partial(join_new_club, row.player, by=by),
        "leaves": partial(entrants.withdraw, row, by=by),
        "removal": partial(entrants.take_out, row, by=by),
    }
    if step in acts and forms_[step].carries_out(acts[step]):
        messages.success(request, _("Saved."))
        return redirect("risiko-entries", stage.slug)
    return render(
        request, "desk/masters/entry.html", {"stage": stage, "entry": row, "name": called(row.player), **forms_}
    )


def join_new_club(player: Player, *, name: str, kind: str, by: User) -> None:
    """The same name typed again is the same club."""
    club = Club.objects.filter(name__iexact=name.strip(), kind=kind).first()
    club = club or Club.objects.create(name=name.strip(), kind=kind)
    set_clubs(player, [*(member.club for member in player.clubs.select_related("club")), club], by=by)
