"""The end of a year at the desk: its rankings become final, then the purge. One proposes, a second person confirms."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import ButtonForm, ReasonField, UseCaseForm
from pergioco.ledger import freezing, publishing
from pergioco.ledger.models import Freeze
from pergioco.players.models import User
from pergioco.players.policy import Role, allow, asks_again
from pergioco.stages.models import Season
from ratings import purging
from ratings.models import Purge
from ratings.rules.purging import YEARS_KEPT

CONFLICT = 409


class FreezeForm(UseCaseForm):
    """What the page showed is what is confirmed."""

    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)


class TakingBackForm(UseCaseForm):
    reason = ReasonField()


class Step(NamedTuple):
    form: type[UseCaseForm]
    act: Callable[..., object]
    said: str  # once it is done


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def year_end(request: HttpRequest, year: int) -> HttpResponse:
    season = get_object_or_404(Season, year=year)
    freeze = freeze_of(season)
    steps = {
        "propose": Step(ButtonForm, partial(freezing.propose, season), _("Proposed. A second person must confirm it.")),
        "take_back": Step(ButtonForm, partial(freezing.take_back, freeze), _("The proposal is taken back.")),
        "confirm": Step(
            FreezeForm, partial(freezing.confirm, freeze), _("The rankings of %(year)s are final.") % {"year": year}
        ),
    }
    tried = try_step(request, steps)
    return answer(request, "desk/year_end.html", state_of(season) | tried) if tried else redirect(request.path)


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def purge(request: HttpRequest, year: int) -> HttpResponse:
    get_object_or_404(Season, year=year - 1)
    row = purge_of(year)
    steps = {
        "propose": Step(ButtonForm, partial(purging.propose, year), _("Proposed. A second person must confirm it.")),
        "take_back": Step(
            TakingBackForm, partial(purging.take_back, row), _("The purge is taken back: nothing is destroyed.")
        ),
        "confirm": Step(
            ButtonForm, partial(purging.confirm, row), _("Confirmed. The ratings are destroyed after thirty days.")
        ),
    }
    tried = try_step(request, steps)
    return answer(request, "desk/purge.html", list_of(year) | tried) if tried else redirect(request.path)


def try_step(request: HttpRequest, steps: dict[str, Step]) -> dict[str, Any]:
    """The forms by the name of their step, for the page; empty once a step was done."""
    wanted = request.POST.get("step")
    tried = {name: step.form(request.POST if name == wanted else None) for name, step in steps.items()}
    for name, step in steps.items():
        if tried[name].carries_out(step.act, by=cast("User", request.user)):
            messages.success(request, step.said)
            return {}
    return tried


def answer(request: HttpRequest, template: str, values: dict[str, Any]) -> HttpResponse:
    outdated = any(isinstance(form, UseCaseForm) and form.is_outdated for form in values.values())
    return render(request, template, values, status=CONFLICT if outdated else 200)


def freeze_of(season: Season) -> Freeze:
    rows = Freeze.objects.select_related("season", "proposed_by", "frozen_by", "publication")
    return rows.filter(season=season).first() or Freeze(season=season)


def purge_of(year: int) -> Purge:
    return Purge.objects.select_related("proposed_by", "confirmed_by").filter(year=year).first() or Purge(year=year)


def state_of(season: Season) -> dict[str, Any]:
    """What the two people look at before they decide."""
    freeze, current = freeze_of(season), publishing.current(season)
    may_be_final = not freeze.frozen_at and current and freezing.is_over(season, today=timezone.localdate())
    draft = freezing.draft_of(season) if may_be_final else ""
    return {
        "season": season,
        "next_year": season.year + 1,
        "freeze": freeze,
        "current": current,
        "unfinished": freezing.unfinished(season),
        "seen": freezing.sha256(draft) if draft else "",
        "places": freezing.places_in(draft),
    }


def list_of(year: int) -> dict[str, Any]:
    row = purge_of(year)
    listed = [] if row.destroyed_at else purging.listed(year)
    return {
        "year": year,
        "year_before": year - 1,
        "first_kept": year - YEARS_KEPT + 1,
        "purge": row,
        "listed": listed,
        "is_same": row.listed == purging.ids_of(listed),
        "due": row.confirmed_at + purging.WAIT if row.confirmed_at else None,
        "is_final": Freeze.objects.filter(season__year=year - 1, frozen_at__isnull=False).exists(),
    }
