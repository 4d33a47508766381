"""One stage for everybody: its page, its rounds, its files."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import condition, conditional_page, require_safe

from pergioco.players.policy import everyone
from pergioco.website import embed, share_image
from pergioco.website.page_cache import Part, kept, versioned
from pergioco.website.screens import is_screen
from pergioco.website.sheets.download import download
from pergioco.website.stages import exports, image, page, trf, versions
from pergioco.website.stages import one_round as hall
from pergioco.website.stages.seen import Seen, stages


@everyone
@versioned
@require_safe
@condition(versions.etag)
def stage(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    seen = seen_of(year, slug)
    if is_screen(request) and (wall := page.screen(request, seen)):
        return wall
    draw = partial(parts_of, request, seen)
    parts = draw() if request.GET.get("find") else kept("stage", seen.stage.pk, make=draw)
    return render(request, "website/stages/stage.html", {"stage": seen.stage, **dict(parts)})


def parts_of(request: HttpRequest, seen: Seen) -> Part:
    values = page.values_of(request, seen)
    return [(name, render_to_string(f"website/stages/{name}.html", values, request)) for name in ("content", "share")]


def seen_of(year: int, slug: str) -> Seen:
    return Seen(get_object_or_404(stages(), season__year=year, slug=slug), today=timezone.localdate())


@everyone
@versioned
@require_safe
@condition(versions.etag)
def one_round(request: HttpRequest, year: int, slug: str, number: int) -> HttpResponse:
    values = hall.values_of(request, seen_of(year, slug), number)
    return hall.screen(request, values) if is_screen(request) else render(request, "website/stages/round.html", values)


@everyone
@require_safe
def standings(request: HttpRequest, year: int, slug: str, ending: str) -> HttpResponseBase:
    seen = seen_of(year, slug)
    values = page.values_of(request, seen)
    if not values["order"]:
        raise Http404
    sheet = exports.standings_sheet(seen, values["order"], values["changes"], values["race"])
    return download(request, sheet, ending)


@everyone
@require_safe
def games(request: HttpRequest, year: int, slug: str, ending: str) -> HttpResponseBase:
    seen = seen_of(year, slug)
    rounds = page.values_of(request, seen)["rounds"]
    if not rounds:
        raise Http404
    return download(request, exports.games_sheet(seen, sorted(rounds, key=lambda one: one.number)), ending)


@everyone
@require_safe
@conditional_page
def games_trf(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    seen = seen_of(year, slug)
    table = page.values_of(request, seen)["crosstable"] if seen.stage.is_closed else None
    text = trf.file_of(seen, table.rows) if table else None
    if text is None:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="{seen.stage.slug}-{exports.stamp(seen)}.trf"'}
    return HttpResponse(text.encode(), content_type=trf.CONTENT_TYPE, headers=headers)


@everyone
@require_safe
@conditional_page
@embed.may_be_framed
def frame(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    seen = seen_of(year, slug)
    values = page.values_of(request, seen)
    values["order"] = values["order"][: embed.PLACES]
    return embed.show(request, "website/stages/embed.html", seen.page, values)


@everyone
@require_safe
def picture(request: HttpRequest, year: int, slug: str) -> HttpResponseBase:
    values = page.values_of(request, seen_of(year, slug))
    if not values["order"]:
        raise Http404
    return share_image.answer(request, image.card_of(values))
