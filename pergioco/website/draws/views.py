"""A draw for everybody: its page, its document, a script that runs it again, and the same done here."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from pergioco.players.policy import everyone
from pergioco.stages.models import Stage
from pergioco.website.draws.page import Shown, faults
from pergioco.website.sheets import as_json
from risiko_master import standalone, verify
from risiko_master.models import Commitment

KEY, SECONDS = "risiko-draw-again", 60  # it costs up to a second, and a whole hall may ask at once


@dataclass(frozen=True)
class Run:
    at: datetime
    codes: tuple[str, ...]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        return cls(timezone.now(), tuple(verify.findings(document)))


def shown_of(request: HttpRequest, slug: str, number: int) -> Shown:
    stages = Stage.objects.filter(circuit=Stage.Circuit.RKM).select_related("game", "season")
    if number not in Commitment.Number:
        raise Http404
    return Shown(get_object_or_404(stages, slug=slug), number, request.GET.get("attempt", ""))


def show(request: HttpRequest, shown: Shown, **more: object) -> HttpResponse:
    tables = shown.tables(request.user) if shown.draw else []
    return render(request, "website/draws/draw.html", {"shown": shown, "stage": shown.stage, "tables": tables, **more})


@everyone
@require_safe
def draw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return show(request, shown_of(request, slug, number))


@everyone
@csrf_exempt  # it changes nothing: without a token the page is the same for everybody
@require_POST
def again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    shown = shown_of(request, slug, number)
    run = lately(shown)
    return show(request, shown, run=run, faults=faults(run.codes))


def lately(shown: Shown) -> Run:
    key, known = f"{KEY}:{shown.draw_id}", caches["process"]
    run: Run | None = known.get(key)
    if run is None:
        run = Run.of(shown.document)
        known.set(key, run, SECONDS)
    return run


@everyone
@require_safe
def document(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    shown = shown_of(request, slug, number)
    return attached(as_json.dumped(shown.document), f"{slug}-draw-{number}.json", "application/json")


@everyone
@require_safe
def script(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The same for every draw of this algorithm."""
    shown_of(request, slug, number)
    return attached(standalone.script(), "draw.py", "text/x-python; charset=utf-8")


def attached(text: str, name: str, content_type: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text.encode(), content_type=content_type, headers=headers)
