"""One draw as its director sees it: what was promised, what it gave, and once more only with a reason."""

import json
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import ButtonForm, ReasonField, UseCaseForm
from pergioco.desk.masters.listed import WHO, own_master
from pergioco.desk.masters.room import Room
from pergioco.players.models import User
from pergioco.players.policy import allow
from pergioco.stages.models import Stage
from risiko_master import drawing
from risiko_master.labels import PROOFS, measured
from risiko_master.models import Commitment, Draw

UNFIT = 422


class AgainForm(UseCaseForm):
    reason = ReasonField(label=gettext_lazy("Why it is drawn again"), help_text=gettext_lazy("Everybody will read it."))
    seed = forms.CharField(
        label=gettext_lazy("A seed of your own"),
        help_text=gettext_lazy("Sixteen characters at least. Empty: the portal takes one by chance."),
        required=False,
        max_length=64,
    )


@allow(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    if number not in Commitment.Number:
        raise Http404
    stage, by = own_master(request, slug), cast("User", request.user)
    step = request.POST.get("step")
    go = ButtonForm(request.POST if step == "draw" else None)
    again = AgainForm(request.POST if step == "again" else None)
    if go.carries_out(lambda: drawing.draw(stage, number, by=by)):
        messages.success(request, _("Drawn: the tables and the seed are public."))
        return redirect("risiko-control", stage.slug)
    if again.carries_out(lambda **typed: drawn_again(stage, number, by, **typed)):
        messages.success(request, _("Drawn again with another seed, and the reason is public."))
        return redirect("risiko-control", stage.slug)
    status = UNFIT if go.errors or again.errors else 200
    values = {"stage": stage, "number": number, "go": go, "again": again, **shown(stage, number)}
    return render(request, "desk/masters/draw.html", values, status=status)


def drawn_again(stage: Stage, number: int, by: User, *, reason: str, seed: str) -> Draw:
    """The hash of the new seed is public for as long as the draw takes; the reason for ever."""
    drawing.commit(stage, number, by=by, reason=reason, seed=seed)
    return drawing.draw(stage, number, by=by)


def shown(stage: Stage, number: int) -> dict[str, Any]:
    commitment = drawing.latest(stage, number)
    made: Draw | None = getattr(commitment, "draw", None)
    values: dict[str, Any] = {
        "commitment": commitment,
        "made": made,
        "room": Room(stage),
        "name": Commitment.Number(number).label,
    }
    if made:
        result = json.loads(made.result)
        values |= {"measures": measured(result), "proof": PROOFS[result["proof"]]}
    return values
