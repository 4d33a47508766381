"""Public pages, files, frames and pictures of one stage."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import condition, conditional_page, require_safe

from pergioco.core import cache_versions, displays, share_image, theme
from pergioco.core.displays import is_screen
from pergioco.core.exports.download import download_sheet
from pergioco.core.page_cache import versioned
from pergioco.core.policy import everyone
from pergioco.stages import labels
from pergioco.stages.models import Seat
from pergioco.stages.queries import stage_exports, stage_page, stage_tables
from pergioco.stages.queries.stage_tables import PublicRound
from pergioco.stages.queries.stage_view import (
    Participant,
    StageView,
    name_participants,
    stages_for_view,
)

BY_NAME = "name"


def stage_etag(request: HttpRequest, *_args: object, **_kwargs: object) -> str | None:
    # Signed-in readers only: pages of anonymous ones are cached. The page varies by reader, theme
    # and day.
    read = cache_versions.read_versions() if request.user.is_authenticated else None
    if read is None:
        return None
    said = (
        read,
        request.get_full_path(),
        request.user.pk,
        theme.theme_of(request),
        timezone.localdate().isoformat(),
    )
    return f'"{hashlib.sha256(repr(said).encode()).hexdigest()[:32]}"'


@everyone
@versioned
@require_safe
@condition(stage_etag)
def show_stage(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    view = get_stage_view(year, slug)
    if is_screen(request) and (wall := stage_page.show_standings_screen(request, view)):
        return wall
    return render(request, "stages/public/stage.html", stage_page.stage_page_context(request, view))


def get_stage_view(year: int, slug: str) -> StageView:
    return StageView(
        get_object_or_404(stages_for_view(), season__year=year, slug=slug),
        today=timezone.localdate(),
    )


@everyone
@versioned
@require_safe
@condition(stage_etag)
def show_round(request: HttpRequest, year: int, slug: str, number: int) -> HttpResponse:
    values = round_context(request, get_stage_view(year, slug), number)
    return (
        show_round_screen(request, values)
        if is_screen(request)
        else render(request, "stages/public/round.html", values)
    )


@everyone
@require_safe
def download_standings(request: HttpRequest, year: int, slug: str, ending: str) -> HttpResponseBase:
    view = get_stage_view(year, slug)
    values = stage_page.stage_page_context(request, view)
    if not values["order"]:
        raise Http404
    sheet = stage_exports.standings_sheet(view, values["order"], values["changes"], values["race"])
    return download_sheet(request, sheet, ending)


@everyone
@require_safe
def download_games(request: HttpRequest, year: int, slug: str, ending: str) -> HttpResponseBase:
    view = get_stage_view(year, slug)
    rounds = stage_page.stage_page_context(request, view)["rounds"]
    if not rounds:
        raise Http404
    return download_sheet(
        request, stage_exports.games_sheet(view, sorted(rounds, key=lambda one: one.number)), ending
    )


@everyone
@require_safe
@conditional_page
def download_trf(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    view = get_stage_view(year, slug)
    table = (
        stage_page.stage_page_context(request, view)["crosstable"] if view.stage.is_closed else None
    )
    text = stage_exports.write_trf(view, table.rows) if table else None
    if text is None:
        raise Http404
    headers = {
        "Content-Disposition": f"attachment; "
        f'filename="{view.stage.slug}-{stage_exports.stage_stamp(view)}.trf"'
    }
    return HttpResponse(text.encode(), content_type=stage_exports.TRF_CONTENT_TYPE, headers=headers)


@everyone
@require_safe
@conditional_page
@displays.allow_framing
def embed_stage(request: HttpRequest, year: int, slug: str) -> HttpResponse:
    view = get_stage_view(year, slug)
    values = stage_page.stage_page_context(request, view)
    values["order"] = values["order"][: displays.EMBED_PLACES]
    return displays.render_embed(request, "stages/public/embed.html", view.page, values)


@everyone
@require_safe
def draw_stage_image(request: HttpRequest, year: int, slug: str) -> HttpResponseBase:
    values = stage_page.stage_page_context(request, get_stage_view(year, slug))
    if not values["order"]:
        raise Http404
    return share_image.share_image_response(request, stage_exports.stage_card(values))


@dataclass(frozen=True)
class NameRow:
    who: Participant
    table: int
    opponents: tuple[Participant, ...]


def round_context(request: HttpRequest, view: StageView, number: int) -> dict[str, Any]:
    people = name_participants(view.players.values(), view.stage.circuit, reader=request.user)
    rounds = stage_tables.list_rounds(view, people)
    found = next((one for one in rounds if one.number == number), None)
    if found is None and (view.stage.is_closed or number != len(rounds) + 1):
        raise Http404
    code = labels.stage_state(view.stage, today=view.today, is_final=view.is_final)
    return {
        "stage": view.stage,
        "season": view.stage.season,
        "number": number,
        "round": found,
        "numbers": [one.number for one in rounds],
        "names": sorted(rows_by_name(found), key=lambda row: row.who.in_order) if found else [],
        "state": code,
        "state_words": labels.STATE_LABELS[code],
        "is_live": code in labels.LIVE_STATES,
        "drawn_again": view.revision if is_drawn_again(view, number) else None,
    }


def is_drawn_again(view: StageView, number: int) -> bool:
    if view.stage.is_closed or view.revision is None or view.revision.replaces_id is None:
        return False
    seats = Seat.objects.filter(
        table__round__revision=view.revision.replaces_id, table__round__number=number
    )
    before = list(
        seats.order_by("table__number", "position").values_list("table__number", "player")
    )
    now = [
        (table, player)
        for _of, round_, table, player, *_came in view.sittings[view.revision.pk]
        if round_ == number
    ]
    return bool(before) and before != now


def rows_by_name(round_: PublicRound) -> Iterator[NameRow]:
    for row in round_.rows:
        for who in row.who:
            yield NameRow(who, row.number, tuple(other for other in row.who if other is not who))


def show_round_screen(request: HttpRequest, values: dict[str, Any]) -> HttpResponse:
    is_by_name = request.GET.get("by") == BY_NAME
    rows = values["names"] if is_by_name else values["round"].rows if values["round"] else []
    shown = Paginator(rows, displays.PER_SCREEN).get_page(request.GET.get("page"))
    return displays.render_screen(
        request, "stages/public/screen.html", shown, values | {"is_by_name": is_by_name}
    )
