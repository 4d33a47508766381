"""The front page of BIG, its game catalogue, and stable addresses of its rankings."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from big_league import labels
from big_league.labels import OFFICIAL
from big_league.models import GameSheet, HardcorePick, SheetNote
from big_league.rules.phases import PHASE_EDITIONS, Pick, resting_titles
from pergioco.core.page_cache import versioned
from pergioco.core.policy import everyone
from pergioco.publishing import published
from pergioco.publishing.queries.ranking_labels import ranking_address
from pergioco.stages.models import Game, Stage
from pergioco.stages.queries.calendar import build_fixtures, with_entry_counts
from pergioco.stages.seasons import season_for

FIXTURES_SHOWN = 6


@everyone
@versioned
@require_safe
def big_home(request: HttpRequest) -> HttpResponse:
    coming = Stage.objects.next_from(timezone.localdate()).filter(circuit=Stage.Circuit.BIG)
    return render(
        request,
        "big_league/public/home.html",
        {"fixtures": build_fixtures(with_entry_counts(coming)[:FIXTURES_SHOWN])},
    )


@everyone
@require_safe
def redirect_to_latest_ranking(_request: HttpRequest, kind: str, slug: str = "") -> HttpResponse:
    if slug:
        get_object_or_404(Game, slug=slug)
    version = published.latest_version()
    season = version.season if version else season_for(timezone.localdate())
    if season is None:
        raise Http404
    return redirect(ranking_address("ranking", f"{kind}:{slug}" if slug else kind, season))


SHEETS = GameSheet.objects.select_related("game")


@everyone
@versioned
@require_safe
def game_catalogue(request: HttpRequest) -> HttpResponse:
    sheets = sorted(SHEETS.all(), key=lambda sheet: sheet.game.name.casefold())
    context = {
        "sheets": sheets,
        "general": notes_by_kind(SheetNote.objects.filter(sheet=None)),
        "official": OFFICIAL,
    }
    return render(request, "big_league/public/games.html", context)


@everyone
@versioned
@require_safe
def game_sheet_page(request: HttpRequest, slug: str) -> HttpResponse:
    sheet = get_object_or_404(SHEETS, game__slug=slug)
    edition = PHASE_EDITIONS.in_force(timezone.localdate().year)
    context = {
        "sheet": sheet,
        "notes": notes_by_kind(sheet.notes.all()),
        "rounds": labels.rounds_table(sheet, edition),
        "final": labels.final_table(sheet, edition),
        "hardcore": hardcore_values()
        if sheet.final_format == GameSheet.FinalFormat.HARDCORE
        else None,
        "official": OFFICIAL,
    }
    return render(request, "big_league/public/game.html", context)


def notes_by_kind(notes: Iterable[SheetNote]) -> list[tuple[str, list[SheetNote]]]:
    found = list(notes)
    groups = [
        (kind.label, [note for note in found if note.kind == kind]) for kind in SheetNote.Kind
    ]
    return [(str(label), group) for label, group in groups if group]


def hardcore_values() -> dict[str, object]:
    picks = list(HardcorePick.objects.all())
    chosen = max((pick.year for pick in picks), default=0)
    coming = max(chosen + 1, timezone.localdate().year)
    rests = resting_titles((Pick(pick.year, pick.title) for pick in picks), coming)
    years: dict[int, list[tuple[str, bool]]] = {}
    for pick in picks:
        years.setdefault(pick.year, []).append((pick.title, rests.get(pick.title) == pick.year))
    return {"years": years, "coming": coming, "resting": sorted(rests)}
