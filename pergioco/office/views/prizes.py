"""Prizes of the rankings (PGM 14): one list a ranking and season, in three languages."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.core.forms import ButtonForm, UseCaseForm, posted_version
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

    def carries_out(self, act: Callable[..., object], **more: Any) -> bool:
        return super().carries_out(
            lambda text_it, text_en, text_es, **rest: act(
                prizes.Texts(text_it, text_en, text_es), **rest
            ),
            **more,
        )


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
@require_http_methods(["GET", "HEAD", "POST"])
def desk_prizes(request: UserRequest, year: int, kind: str) -> HttpResponse:
    if kind not in RANKINGS:
        raise Http404
    season = get_object_or_404(Season, year=year)
    row = PrizeList.objects.filter(season=season, ranking=kind).first()
    form, button = make_prize_forms(request, row)
    act, by = choose_prize_action(request, season, kind, row), request.user
    sent = form if form.is_bound else button
    if act and sent.carries_out(act, by=by, version=posted_version(request)):
        messages.success(request, _("The prizes are saved."))
        return redirect("desk-prizes-one", year, kind)
    outdated = form.is_outdated or button.is_outdated
    row = PrizeList.objects.filter(season=season, ranking=kind).first()
    values = {
        "season": season,
        "kind": kind,
        "name": RANKINGS[kind],
        "row": row,
        "form": form,
        "button": button,
        "outdated": outdated,
    }
    return render(
        request,
        "office/desk/prizes_one.html",
        values,
        status=HTTPStatus.CONFLICT if outdated else HTTPStatus.OK,
    )


def make_prize_forms(request: HttpRequest, row: PrizeList | None) -> tuple[PrizesForm, ButtonForm]:
    step = request.POST.get("step", "")
    texts = {name: getattr(row, name) for name in prizes.TEXTS} if row else {}
    typed = request.POST if step == "write" else None
    return PrizesForm(typed, initial=texts), ButtonForm(
        request.POST if step in {"announce", "take_back"} else None
    )


def choose_prize_action(
    request: HttpRequest, season: Season, kind: str, row: PrizeList | None
) -> Callable[..., object] | None:
    step = request.POST.get("step", "")
    if step == "write":
        return lambda texts, **more: prizes.write_prizes(season, kind, texts, **more)
    acts = {"announce": prizes.announce_prizes, "take_back": prizes.take_back_prizes}
    return partial(acts[step], row) if row is not None and step in acts else None
