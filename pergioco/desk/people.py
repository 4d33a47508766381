"""Everybody who is on file, and one room for each."""

from functools import partial
from typing import cast

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.desk.forms import SearchForm, UseCaseForm
from pergioco.desk.search import matching
from pergioco.players.clubs import set_clubs
from pergioco.players.duplicates import candidates_for
from pergioco.players.models import AuditEntry, Claim, Club, Player, User
from pergioco.players.policy import LABELS, Role, allow, roles_of

PER_PAGE = 50


@allow(Role.STAFF)
@require_safe
def directory(request: HttpRequest) -> HttpResponse:
    """Without a question, everybody; with one, also those that a merge absorbed: their old ids are still around."""
    form = SearchForm(request.GET)
    question = form.cleaned_data["q"] if form.is_valid() else ""
    players = Player.objects.filter(matching(question)) if question else Player.objects.current()
    rows = players.select_related("person__user", "registration", "merged_into__person")
    rows = rows.prefetch_related("accounts__nicknames", "merged_into__accounts__nicknames")
    by_name = [F(f"person__{name}").asc(nulls_last=True) for name in ("last_name", "first_name")]
    page = Paginator(rows.order_by(*by_name, "pk"), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/people.html", {"form": form, "page": page})


@allow(Role.STAFF)
@require_safe
def one(request: HttpRequest, public_id: str) -> HttpResponse:
    players = Player.objects.select_related("person__user", "registration", "membership", "merged_into__person")
    player = get_object_or_404(players, public_id=public_id)
    login = player.person.user if hasattr(player, "person") else None
    disqualifications = list(player.disqualifications.select_related("proposed_by", "confirmed_by"))
    claims = Claim.objects.filter(player=player).exclude(state=Claim.State.OFFERED)
    values = {
        "player": player,
        "roles": [LABELS[role] for role in Role if role in roles_of(login) and role != Role.PLAYER] if login else [],
        "accounts": player.accounts.select_related("proved_by").prefetch_related("nicknames"),
        "consents": player.consents.all(),
        "disqualifications": disqualifications,
        "is_decided": any(decision.withdrawn_at is None for decision in disqualifications),
        "sanctions": player.sanctions.select_related("decided_by"),
        "clubs": player.clubs.select_related("club").order_by("club__name"),
        "claims": claims.select_related("target__person", "target").prefetch_related("target__accounts__nicknames"),
        "candidates": candidates_for(player).with_names().prefetch_related("accounts__nicknames"),
        "history": AuditEntry.objects.about(player).select_related("actor")[:20],
    }
    return render(request, "desk/person.html", values)


class ClubsForm(UseCaseForm):
    clubs = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Clubs and groups"),
        queryset=Club.objects.all(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def clubs(request: HttpRequest, public_id: str) -> HttpResponse:
    player = get_object_or_404(
        Player.objects.current().with_names().prefetch_related("accounts__nicknames"), public_id=public_id
    )
    # A form without any tick is an answer too.
    typed = request.POST if request.method == "POST" else None
    form = ClubsForm(typed, initial={"clubs": [row.club_id for row in player.clubs.all()]})
    if form.carries_out(partial(set_clubs, player), by=cast("User", request.user)):
        messages.success(request, _("Clubs and groups are saved."))
        return redirect("desk-person", public_id)
    return render(request, "desk/clubs.html", {"player": player, "form": form})
