"""Downloads for everybody."""

import hashlib
import json

from allauth.core.internal import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from pergioco.brochures import choices, making, race_sheet, stage_games, typesetting
from pergioco.brochures import stage_sheet as sheet_of_stage
from pergioco.brochures.book import download
from pergioco.brochures.models import Brochure
from pergioco.ledger import published
from pergioco.players.naming import named_in_public
from pergioco.players.policy import Role, everyone, may_enter
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Season

PDF = "application/pdf"
RATE = {"print": "30/m/ip"}  # it is set anew for each who asks


@everyone
@require_safe
def stage_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    stage = get_object_or_404(closed_stages().select_related("game"), slug=slug)
    games = stage_games.of_stage(stage)
    if not games.changes:
        raise Http404
    return download(sheet_of_stage.workbook(stage, games), f"pgr-{stage.slug}")


@everyone
@require_safe
def race_of_player(request: HttpRequest, year: int, public_id: str) -> HttpResponse:
    season = get_object_or_404(Season, year=year)
    player = get_object_or_404(named_in_public().with_names(), public_id=public_id)
    version = published.version(season)
    race = race_sheet.race_of(player, version) if version else None
    if race is None:
        raise Http404
    return download(race_sheet.workbook(race), f"race-{year}")


@everyone
@require_safe
def brochure(request: HttpRequest, number: int) -> HttpResponse:
    """One that is published; not from the moment on in which somebody named in it may no longer be named. Staff see
    the others too, before they publish them."""
    row = get_object_or_404(Brochure.objects.filter(pdf__isnull=False), pk=number)
    if row.published_at is None and not may_enter(request.user, Role.STAFF):
        raise Http404
    if not making.names_only_who_may_be(row):
        raise Http404
    return handed_out(bytes(row.pdf or b""), row.file)


@everyone
@require_safe
def poster(request: HttpRequest, year: int, slug: str) -> HttpResponseBase:
    return on_demand(request, "poster", year, slug)


@everyone
@require_safe
def certificate(request: HttpRequest, year: int, kind: str, public_id: str) -> HttpResponseBase:
    return on_demand(request, "certificate", year, f"{kind}/{public_id}")


def on_demand(request: HttpRequest, kind: str, year: int, about: str) -> HttpResponseBase:
    """One page, set while the reader waits; whoever has the same one already is told so, and nothing is set."""
    language = get_language() or "it"
    found = choices.printed(kind, language, year=year, about=about)
    if found is None:
        raise Http404
    etag = f'"{hashlib.sha256(json.dumps(found.data, sort_keys=True).encode()).hexdigest()}"'
    known: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if known is not None:
        return known
    if ratelimit.consume(request, app="pergioco", action="print", config=RATE, limit_get=True) is None:
        return ratelimit.respond_429(request)
    answer = handed_out(typesetting.pdf(found.template, found.data), f"{found.file}-{language}")
    answer.headers["ETag"] = etag
    return answer


def handed_out(pdf: bytes, file: str) -> HttpResponse:
    return HttpResponse(pdf, content_type=PDF, headers={"Content-Disposition": f'inline; filename="{file}.pdf"'})
