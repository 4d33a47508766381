"""Prizes of the rankings (PGM 14): one list a ranking and season, in three languages."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from pergioco.core.forms import ButtonForm, UseCaseForm, posted_version
from pergioco.core.pages import page_or_form, posted_step, render_forms
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.office.models import PrizeList
from pergioco.office.models.prizes import RANKINGS
from pergioco.office.services import prizes
from pergioco.stages.models import Season

LONGEST = 2000
ONE_A_LINE = gettext_lazy("One prize a line: the first place, the second…")


def prize_lines_field(label: Any, help_text: Any = "") -> forms.CharField:
    return forms.CharField(
        label=label, max_length=LONGEST, help_text=help_text, widget=forms.Textarea({"rows": 5})
    )


class PrizesForm(UseCaseForm):
    text_it = prize_lines_field(gettext_lazy("In Italian"), ONE_A_LINE)
    text_en = prize_lines_field(gettext_lazy("In English"))
    text_es = prize_lines_field(gettext_lazy("In Spanish"))

    def clean(self) -> dict[str, Any]:
        # Without spaces at the ends and without empty lines.
        values = super().clean() or self.cleaned_data
        return {
            name: "\n".join(filter(None, map(str.strip, text.splitlines())))
            for name, text in values.items()
        }


@allow(Role.STAFF)
@require_safe
def list_prizes(request: HttpRequest) -> HttpResponse:
    there = {(row.season_id, row.ranking): row for row in PrizeList.objects.all()}
    seasons = [
        (season, [(kind, name, there.get((season.pk, kind))) for kind, name in RANKINGS.items()])
        for season in Season.objects.order_by("-year")
    ]
    return render(request, "office/desk/prizes.html", {"seasons": seasons})


@allow(Role.STAFF)
@page_or_form
def desk_prizes(request: UserRequest, year: int, kind: str) -> HttpResponse:
    if kind not in RANKINGS:
        raise Http404
    season = get_object_or_404(Season, year=year)
    row = PrizeList.objects.filter(season=season, ranking=kind).first()
    texts = {name: getattr(row, name) for name in prizes.TEXTS} if row else {}
    form = PrizesForm(posted_step(request, "write"), initial=texts)
    button = ButtonForm(posted_step(request, "announce", "take_back"))
    act, by = choose_prize_action(request, season, kind, row), request.user
    sent = form if form.is_bound else button
    if act and sent.carries_out(act, by=by, version=posted_version(request)):
        messages.success(request, _("The prizes are saved."))
        return redirect("desk-prizes-one", year, kind)
    row = PrizeList.objects.filter(season=season, ranking=kind).first()
    values = {
        "season": season,
        "kind": kind,
        "name": RANKINGS[kind],
        "row": row,
        "form": form,
        "button": button,
    }
    return render_forms(request, "office/desk/prizes_one.html", values, form, button)


def choose_prize_action(
    request: HttpRequest, season: Season, kind: str, row: PrizeList | None
) -> Callable[..., object] | None:
    step = request.POST.get("step", "")
    if step == "write":
        return lambda version, by, **texts: prizes.write_prizes(
            season, kind, texts, version=version, by=by
        )
    acts = {"announce": prizes.announce_prizes, "take_back": prizes.take_back_prizes}
    return partial(acts[step], row) if row is not None and step in acts else None
