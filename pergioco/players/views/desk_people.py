"""Staff pages about people: the directory, disqualifications, sanctions, clubs and roles."""

from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from pergioco.core import roles
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.forms import ButtonForm, DayPickerField, ReasonField, SearchForm, UseCaseForm
from pergioco.core.models import User
from pergioco.core.pages import page_or_form, paginate, posted_step
from pergioco.core.policy import (
    GRANTED_BY_GROUP,
    ROLE_LABELS,
    Role,
    UserRequest,
    allow,
    label_roles,
    require_reauthentication,
    roles_of,
)
from pergioco.core.refusal import Refused
from pergioco.players.forms import ClubsForm
from pergioco.players.models import Claim, Disqualification, Player, Sanction
from pergioco.players.queries.search import staff_search_filter
from pergioco.players.services import discipline
from pergioco.players.services.claims import find_duplicates_for_staff
from pergioco.players.services.memberships import set_clubs

FOR_THE_PLAYER = gettext_lazy("The player reads it.")


@allow(Role.STAFF)
@require_safe
def list_people(request: HttpRequest) -> HttpResponse:
    form = SearchForm(request.GET)
    question = form.cleaned_data["q"] if form.is_valid() else ""
    # A search also finds merged players: their old ids still circulate.
    players = (
        Player.objects.filter(staff_search_filter(question))
        if question
        else Player.objects.current()
    )
    rows = players.select_related("person__user", "registration", "merged_into__person")
    rows = rows.prefetch_related("accounts__nicknames", "merged_into__accounts__nicknames")
    by_name = [F(f"person__{name}").asc(nulls_last=True) for name in ("last_name", "first_name")]
    page = paginate(request, rows.order_by(*by_name, "pk"))
    return render(request, "players/desk/people.html", {"form": form, "page": page})


@allow(Role.STAFF)
@require_safe
def person_page(request: HttpRequest, public_id: str) -> HttpResponse:
    players = Player.objects.select_related(
        "person__user", "registration", "membership", "merged_into__person"
    )
    player = get_object_or_404(players, public_id=public_id)
    login = player.person.user if hasattr(player, "person") else None
    disqualifications = list(player.disqualifications.select_related("proposed_by", "confirmed_by"))
    claims = Claim.objects.filter(player=player).exclude(state=Claim.State.OFFERED)
    values = {
        "player": player,
        "roles": label_roles(roles_of(login)) if login else [],
        "accounts": player.accounts.select_related("proved_by").prefetch_related("nicknames"),
        "consents": player.consents.all(),
        "disqualifications": disqualifications,
        "is_decided": any(decision.withdrawn_at is None for decision in disqualifications),
        "sanctions": player.sanctions.select_related("decided_by"),
        "clubs": player.clubs.select_related("club").order_by("club__name"),
        "claims": claims.select_related("target__person", "target").prefetch_related(
            "target__accounts__nicknames"
        ),
        "candidates": find_duplicates_for_staff(player).with_staff_names(),
        "history": AuditEntry.objects.about(player).select_related("actor")[:20],
    }
    return render(request, "players/desk/person.html", values)


@allow(Role.STAFF)
@page_or_form
def clubs_page(request: UserRequest, public_id: str) -> HttpResponse:
    player = get_object_or_404(Player.objects.current().with_staff_names(), public_id=public_id)
    # Without any tick POST is empty, and still an answer.
    typed = request.POST if request.method == "POST" else None
    form = ClubsForm(typed, initial={"clubs": [row.club_id for row in player.clubs.all()]})
    if form.carries_out(partial(set_clubs, player), by=request.user):
        messages.success(request, _("Clubs and groups are saved."))
        return redirect("desk-person", public_id)
    return render(request, "players/desk/clubs.html", {"player": player, "form": form})


class DisqualificationForm(UseCaseForm):
    kind = forms.ChoiceField(
        label=gettext_lazy("What it does"),
        choices=Disqualification.Kind.choices,
        widget=forms.RadioSelect,
    )
    effective_on = DayPickerField(label=gettext_lazy("From"))
    reason = ReasonField(
        help_text=gettext_lazy("The player reads it once a second person has confirmed.")
    )


class WithdrawalForm(UseCaseForm):
    reason = ReasonField(help_text=FOR_THE_PLAYER)


class SanctionForm(UseCaseForm):
    starts_on = DayPickerField(label=gettext_lazy("First day"))
    ends_on = DayPickerField(label=gettext_lazy("Last day"))
    reason = ReasonField()


class EndSanctionForm(UseCaseForm):
    last_day = DayPickerField(
        label=gettext_lazy("New last day"),
        help_text=gettext_lazy("A day before the first one takes the sanction back altogether."),
    )
    reason = ReasonField()


def named_decisions() -> QuerySet[Disqualification]:
    rows = Disqualification.objects.select_related("player__person", "proposed_by", "confirmed_by")
    return rows.prefetch_related("player__accounts__nicknames")


@allow(Role.STAFF)
@require_safe
def list_disqualifications(request: HttpRequest) -> HttpResponse:
    # Open ones come first.
    open_first = (
        F("withdrawn_at").desc(nulls_first=True),
        F("confirmed_at").desc(nulls_first=True),
        "-pk",
    )
    page = paginate(request, named_decisions().order_by(*open_first))
    return render(request, "players/desk/disqualifications.html", {"page": page})


@allow(Role.STAFF)
@page_or_form
@require_reauthentication
def propose_disqualification_page(request: UserRequest, public_id: str) -> HttpResponse:
    player = get_object_or_404(Player.objects.with_staff_names(), public_id=public_id)
    form = DisqualificationForm(request.POST or None)
    if form.carries_out(partial(discipline.propose_disqualification, player), by=request.user):
        messages.success(request, _("Proposed. A second person must confirm it."))
        return redirect("desk-person", public_id)
    return render(request, "players/desk/disqualify.html", {"player": player, "form": form})


@allow(Role.STAFF)
@page_or_form
@require_reauthentication
def disqualification_page(request: UserRequest, number: int) -> HttpResponse:
    row = get_object_or_404(named_decisions(), pk=number)
    confirmation = ButtonForm(posted_step(request, "confirm"))
    withdrawal = WithdrawalForm(posted_step(request, "withdraw"))
    by = request.user
    if confirmation.carries_out(partial(discipline.confirm_disqualification, row), by=by):
        messages.success(request, _("Confirmed. The player is told by mail."))
        return redirect("desk-person", row.player.public_id)
    if withdrawal.carries_out(partial(discipline.withdraw_disqualification, row), by=by):
        messages.success(request, _("Withdrawn."))
        return redirect("desk-person", row.player.public_id)
    values = {
        "decision": row,
        "player": row.player,
        "confirmation": confirmation,
        "withdrawal": withdrawal,
    }
    return render(request, "players/desk/disqualification.html", values)


@allow(Role.STAFF)
@page_or_form
@require_reauthentication
def add_sanction_page(request: UserRequest, public_id: str) -> HttpResponse:
    player = get_object_or_404(Player.objects.with_staff_names(), public_id=public_id)
    form = SanctionForm(request.POST or None)
    if form.carries_out(partial(discipline.add_sanction, player), by=request.user):
        messages.success(request, _("The sanction is on file."))
        return redirect("desk-person", public_id)
    return render(request, "players/desk/sanction.html", {"player": player, "form": form})


@allow(Role.STAFF)
@page_or_form
@require_reauthentication
def end_sanction_page(request: UserRequest, number: int) -> HttpResponse:
    rows = Sanction.objects.select_related("player__person").prefetch_related(
        "player__accounts__nicknames"
    )
    row = get_object_or_404(rows, pk=number)
    form = EndSanctionForm(request.POST or None)
    if form.carries_out(partial(discipline.end_sanction, row), by=request.user):
        messages.success(request, _("The sanction was changed."))
        return redirect("desk-person", row.player.public_id)
    return render(
        request,
        "players/desk/sanction_end.html",
        {"sanction": row, "player": row.player, "form": form},
    )


class RoleForm(UseCaseForm):
    email = forms.EmailField(label=gettext_lazy("E-mail of the login"))
    role = forms.ChoiceField(label=gettext_lazy("Role"), widget=forms.RadioSelect)
    reason = ReasonField()

    def __init__(self, *args: Any, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ChoiceField", self.fields["role"])
        field.choices = [(role.value, ROLE_LABELS[role]) for role in roles.grantable_by(by)]


def change_role(*, email: str, role: str, reason: str, by: User, step: str) -> None:
    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        raise Refused(
            _("Nobody signs in with this address. They must make a login first."),
            "email",
            rule="desk_people.change_role",
        )
    if step == "withdraw":
        roles.withdraw_role(Role(role), user=user, by=by, reason=reason)
    else:
        roles.grant_role(Role(role), to=user, by=by, reason=reason)


@allow(Role.STAFF)
@page_or_form
@require_reauthentication
def roles_page(request: UserRequest) -> HttpResponse:
    by, step = request.user, request.POST.get("step", "")
    form = RoleForm(request.POST or None, by=by, initial={"email": request.GET.get("email", "")})
    if step in {"grant", "withdraw"} and form.carries_out(partial(change_role, by=by, step=step)):
        messages.success(
            request, _("Done. Who it concerns is signed out, and signs in again with the new role.")
        )
        return redirect("desk-roles")
    users = User.objects.filter(
        Q(is_superuser=True) | Q(groups__name__in=GRANTED_BY_GROUP)
    ).distinct()
    rows = users.select_related("person").prefetch_related("groups").order_by("email")
    page = paginate(request, rows)
    return render(
        request,
        "players/desk/roles.html",
        {"form": form, "page": page, "holders": [(user, label_held_roles(user)) for user in page]},
    )


def label_held_roles(user: User) -> list[str | Promise]:
    # From the prefetched groups.
    names = [group.name for group in user.groups.all()]
    return label_roles([*names, Role.SUPERUSER] if user.is_superuser else names)
