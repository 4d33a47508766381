"""Staff decide claims, and merge players or undo a merge."""

from functools import partial

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from pergioco.core.forms import ReasonField, UseCaseForm
from pergioco.core.models import User
from pergioco.core.pages import page_or_form, paginate
from pergioco.core.policy import Role, UserRequest, allow, require_reauthentication
from pergioco.players.models import Claim, Merge, Player
from pergioco.players.services import claims, merging


class ReasonForm(UseCaseForm):
    reason = ReasonField(help_text=gettext_lazy("Staff read it, and so does the player."))


@allow(Role.STAFF)
@page_or_form
@require_reauthentication
def merge_players_page(request: UserRequest, kept: str, absorbed: str) -> HttpResponse:
    players = Player.objects.with_staff_names().select_related("person__user")
    stays, goes = (
        get_object_or_404(players, public_id=public_id) for public_id in (kept, absorbed)
    )
    if stays == goes:
        raise Http404
    form = ReasonForm(request.POST or None)
    if form.carries_out(partial(merging.merge_players, stays, goes), by=request.user):
        messages.success(request, _("Merged. You can take it back from this list."))
        return redirect("desk-merges")
    return render(
        request,
        "players/desk/merge.html",
        {"preview": merging.preview_merge(stays, goes), "form": form},
    )


@allow(Role.STAFF)
@require_safe
def list_merges(request: HttpRequest) -> HttpResponse:
    page = paginate(request, Merge.objects.with_names())
    return render(request, "players/desk/merges.html", {"page": page})


@allow(Role.STAFF)
@page_or_form
@require_reauthentication
def undo_merge_page(request: UserRequest, number: int) -> HttpResponse:
    row = get_object_or_404(Merge.objects.with_names(), pk=number)
    form = ReasonForm(request.POST or None)
    if form.carries_out(partial(merging.undo_merge, row), by=request.user):
        messages.success(request, _("Taken back: they are two players again."))
        return redirect("desk-merges")
    return render(request, "players/desk/merge_undo.html", {"merge": row, "form": form})


class ClaimDecisionForm(UseCaseForm):
    decision = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[
            ("approve", gettext_lazy("Yes, it is the same person: merge them")),
            ("refuse", gettext_lazy("No: refuse the claim")),
        ],
        widget=forms.RadioSelect,
    )
    answer = forms.CharField(
        label=gettext_lazy("Answer"),
        help_text=gettext_lazy("Needed for a refusal: the player reads it."),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def clean(self) -> None:
        if self.cleaned_data.get("decision") == "refuse" and not self.cleaned_data.get("answer"):
            self.add_error("answer", _("Say why: the player reads it."))


def decide_claim(claim: Claim, *, decision: str, answer: str, by: User) -> None:
    if decision == "approve":
        claims.approve_claim(claim, by=by)
    else:
        claims.refuse_claim(claim, by=by, answer=answer)


@allow(Role.STAFF)
@require_safe
def list_claims(request: HttpRequest) -> HttpResponse:
    page = paginate(request, Claim.objects.with_names().sent())
    return render(request, "players/desk/claims.html", {"page": page})


@allow(Role.STAFF)
@page_or_form
@require_reauthentication
def claim_page(request: UserRequest, number: int) -> HttpResponse:
    claim = get_object_or_404(Claim.objects.with_names().sent(), pk=number)
    form = ClaimDecisionForm(request.POST or None)
    if form.carries_out(partial(decide_claim, claim), by=request.user):
        messages.success(request, _("Decided. The player is told by mail."))
        return redirect("desk-claims")
    is_open = claim.state == Claim.State.OPEN
    preview = merging.preview_merge(claim.player, claim.target) if is_open else None
    return render(
        request, "players/desk/claim.html", {"claim": claim, "form": form, "preview": preview}
    )
