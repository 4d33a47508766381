"""The desk's entries: adding, checking in, clubs and withdrawals."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

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

from pergioco.core.displays import draw_qr_code
from pergioco.core.forms import ButtonForm, SearchForm, UseCaseForm
from pergioco.core.models import User
from pergioco.core.policy import UserRequest, allow
from pergioco.core.refusal import Refused
from pergioco.players.forms import ClubsForm
from pergioco.players.models import Club, ClubMember, Player
from pergioco.players.queries.search import player_search_filter
from pergioco.players.services.memberships import set_clubs
from pergioco.rulekit.text import fold
from pergioco.stages.models import Entry, Stage
from pergioco.stages.queries.results_grid import entrant_names, name_for_desk
from pergioco.stages.services import entrants
from risiko_master.services import presence
from risiko_master.views.own_masters import DIRECTORS, own_master

MOST_FOUND = 20


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
class EntryRow:
    entry: Entry
    name: str
    clubs: str
    is_here: bool
    is_barred: bool

    @property
    def anchor(self) -> str:
        return f"e{self.entry.pk}"


def club_names(stage: Stage) -> dict[int, str]:
    names: dict[int, list[str]] = defaultdict(list)
    rows = ClubMember.objects.filter(player__entries__stage=stage).order_by("club__name")
    for player, club in rows.values_list("player", "club__name"):
        names[player].append(club)
    return {player: ", ".join(own) for player, own in names.items()}


def list_entries(stage: Stage) -> list[EntryRow]:
    names, clubs = entrant_names(stage), club_names(stage)
    rows = list(stage.entries.select_related("presence"))
    barred = entrants.barred_players(stage, [row.player_id for row in rows])  # type: ignore[misc]
    found = [
        EntryRow(
            row,
            names[row.player_id],
            clubs.get(row.player_id, ""),
            hasattr(row, "presence"),
            row.player_id in barred,
        )
        for row in rows
    ]
    return sorted(found, key=lambda one: fold(one.name))


def find_players(stage: Stage, question: str) -> list[tuple[Player, str]]:
    if not question:
        return []
    players = (
        Player.objects.current()
        .filter(player_search_filter(question))
        .exclude(Q(entries__stage=stage))
        .distinct()
    )
    named = (
        players.with_names()
        .prefetch_related("accounts__nicknames")
        .order_by("person__last_name", "pk")
    )
    return [(player, name_for_desk(player)) for player in named[:MOST_FOUND]]


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def entries_page(request: UserRequest, slug: str) -> HttpResponse:
    stage, by = own_master(request, slug), request.user
    walk_in = WalkInForm(request.POST if request.POST.get("step") == "walk-in" else None)
    if walk_in.carries_out(partial(presence.enter_walk_in, stage, by=by)):
        return redirect_to_row(request, stage)
    step = STEPS.get(request.POST.get("step", ""))
    button = ButtonForm(request.POST if step else None)
    if step and button.carries_out(partial(step, request, stage, by)):
        return redirect_to_row(request, stage)
    refusal = button.refusal.sentence if button.refusal else ""
    values = entries_values(request, stage) | {"walk_in": walk_in, "refusal": refusal}
    return render(request, "risiko_master/desk/entries.html", values, status=button.status)


def redirect_to_row(request: HttpRequest, stage: Stage) -> HttpResponse:
    number = request.POST.get("entry", "")
    anchor = f"#e{number}" if number.isdigit() else ""
    return redirect(reverse("risiko-entries", args=[stage.slug]) + anchor)


def entries_values(request: HttpRequest, stage: Stage) -> dict[str, Any]:
    find = FindForm(request.GET)
    question = find.cleaned_data["q"] if find.is_valid() else ""
    here = request.build_absolute_uri(reverse("risiko-here", args=[presence.presence_token(stage)]))
    is_announced = presence.is_announced(stage)
    return {
        "stage": stage,
        "rows": list_entries(stage),
        "count": presence.count_presences(stage),
        "is_announced": is_announced,
        "is_drawn": presence.is_drawn(stage),
        "find": find,
        "question": question,
        "found": find_players(stage, question),
        "here": here,
        "qr": draw_qr_code(here) if is_announced else "",
    }


def posted_entry(request: HttpRequest, stage: Stage) -> Entry:
    number = request.POST.get("entry", "")
    rows = stage.entries.select_related("stage", "player")
    return get_object_or_404(rows, pk=number if number.isdigit() else 0)


def check_in_step(request: HttpRequest, stage: Stage, by: User) -> None:
    presence.check_in_entry(posted_entry(request, stage), by=by)


def undo_check_in_step(request: HttpRequest, stage: Stage, by: User) -> None:
    presence.undo_check_in(posted_entry(request, stage), by=by)


def add_player_step(request: HttpRequest, stage: Stage, by: User) -> None:
    """Also checks in once the doors are open."""
    form = PlayerForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Find the player first, then enter him."), rule="entries.add_player_step")
    player = form.cleaned_data["player"]
    if presence.is_announced(stage):
        presence.enter_player(stage, player, by=by)
        return
    for _player, reason in entrants.add_players(stage, [player], by=by).kept_out:
        raise Refused(
            _("Not entered: %(reason)s.") % {"reason": reason}, rule="entries.add_player_step"
        )


STEPS: dict[str, Callable[[HttpRequest, Stage, User], None]] = {
    "announce": lambda _request, stage, by: presence.open_doors(stage, by=by),
    "here": check_in_step,
    "gone": undo_check_in_step,
    "add": add_player_step,
}


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def entry_page(request: UserRequest, slug: str, number: int) -> HttpResponse:
    stage, by = own_master(request, slug), request.user
    row = get_object_or_404(stage.entries.select_related("player__person", "stage"), pk=number)
    step = request.POST.get("step")
    own = [member.club_id for member in row.player.clubs.all()]
    leaves = {"after_round": row.withdrew_after_round}
    steps: dict[str, tuple[type[UseCaseForm], Callable[..., object], dict[str, Any]]] = {
        "clubs": (ClubsForm, partial(set_clubs, row.player), {"clubs": own}),
        "new_club": (NewClubForm, partial(join_new_club, row.player), {}),
        "leaves": (LeavesForm, partial(entrants.withdraw_player, row), leaves),
        "removal": (ButtonForm, partial(entrants.remove_entry, row), {}),
    }
    forms_ = {
        name: make(request.POST if name == step else None, initial=initial)
        for name, (make, _act, initial) in steps.items()
    }
    if step in steps and forms_[step].carries_out(steps[step][1], by=by):
        messages.success(request, _("Saved."))
        return redirect("risiko-entries", stage.slug)
    return render(
        request,
        "risiko_master/desk/entry.html",
        {"stage": stage, "entry": row, "name": name_for_desk(row.player), **forms_},
    )


def join_new_club(player: Player, *, name: str, kind: str, by: User) -> None:
    # The same name typed again is the same club.
    club = Club.objects.filter(name__iexact=name.strip(), kind=kind).first()
    club = club or Club.objects.create(name=name.strip(), kind=kind)
    set_clubs(
        player, [*(member.club for member in player.clubs.select_related("club")), club], by=by
    )
