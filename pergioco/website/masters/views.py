"""RisiKo! Masters: the list, one of them whole, and its rankings as files."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.players.policy import everyone
from pergioco.stages.models import Stage
from pergioco.website.masters import live
from pergioco.website.masters.page import Shown
from pergioco.website.masters.sheets import sheet_of
from pergioco.website.screens import is_screen
from pergioco.website.sheets.download import download
from pergioco.website.stages import exports, orders, page
from pergioco.website.stages.seen import Seen
from pergioco.website.stages.seen import stages as seen_stages
from risiko_master.compute import FINAL


def stages() -> "list[Stage]":
    rows = Stage.objects.filter(circuit=Stage.Circuit.RKM).exclude(status=Stage.Status.CANCELLED)
    return list(rows.select_related("game", "season").order_by("-starts_on", "slug"))


def stage_called(slug: str) -> Stage:
    rows = Stage.objects.filter(circuit=Stage.Circuit.RKM).select_related("game", "season")
    return get_object_or_404(rows, slug=slug)


def shown_of(request: HttpRequest, slug: str) -> Shown:
    return Shown(stage_called(slug), request.user)


@everyone
@require_safe
def masters(request: HttpRequest) -> HttpResponse:
    return render(request, "website/masters/list.html", {"stages": stages()})


@everyone
@require_safe
def master(request: HttpRequest, slug: str) -> HttpResponse:
    seen = Seen(get_object_or_404(seen_stages(), circuit=Stage.Circuit.RKM, slug=slug), today=timezone.localdate())
    if is_screen(request) and (wall := page.screen(request, seen)):
        return wall
    shown = Shown(seen.stage, request.user)
    values = page.in_short(seen) | {"shown": shown, "hall": live.hall_of(shown.stage, request.user)}
    if shown.final:
        values |= taken_away(seen, shown, values)
    return render(request, "website/masters/master.html", values)


def taken_away(seen: Seen, shown: Shown, values: Mapping[str, Any]) -> dict[str, Any]:
    order = orders.of_master(shown.lines_of(FINAL), shown.people)
    known = {**values, "order": order}
    return {
        "order": order,
        "exports": exports.with_files(shown.files(FINAL), seen, known),
        "image": exports.picture_of(seen),
    }


@everyone
@require_safe
def standings(request: HttpRequest, slug: str, what: str, ending: str) -> HttpResponseBase:
    shown = shown_of(request, slug)
    if not shown.standings(what):
        raise Http404
    return download(request, sheet_of(shown, what), ending)
