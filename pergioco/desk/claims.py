"""“That was me”: staff compare the claimant with the claimed player, and answer."""

from functools import partial
from typing import cast

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.desk.forms import UseCaseForm
from pergioco.players import deciding_claims, merging
from pergioco.players.models import Claim, User
from pergioco.players.policy import Role, allow, asks_again

PER_PAGE = 50


class DecisionForm(UseCaseForm):
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


def decide(claim: Claim, *, decision: str, answer: str, by: User) -> None:
    if decision == "approve":
        deciding_claims.approve(claim, by=by)
    else:
        deciding_claims.refuse(claim, by=by, answer=answer)


@allow(Role.STAFF)
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    page = Paginator(Claim.objects.with_names().sent(), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/claims.html", {"page": page})


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def one(request: HttpRequest, number: int) -> HttpResponse:
    claim = get_object_or_404(Claim.objects.with_names().sent(), pk=number)
    form = DecisionForm(request.POST or None)
    if form.carries_out(partial(decide, claim), by=cast("User", request.user)):
        messages.success(request, _("Decided. The player is told by mail."))
        return redirect("desk-claims")
    is_open = claim.state == Claim.State.OPEN
    preview = merging.preview(claim.player, claim.target) if is_open else None
    return render(request, "desk/claim.html", {"claim": claim, "form": form, "preview": preview})
