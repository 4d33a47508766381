"""What counts at each game of BIG: the catalogue, and one page for each title."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from big_league import phase_words
from big_league.models import GameSheet, HardcorePick, SheetNote
from big_league.rules.hardcore import Pick, resting
from big_league.rules.phase_tables import for_year
from pergioco.players.policy import everyone
from pergioco.website.page_cache import versioned

OFFICIAL = "https://www.boarditaliangamers.it/"
SHEETS = GameSheet.objects.select_related("game")


@everyone
@versioned
@require_safe
def games(request: HttpRequest) -> HttpResponse:
    sheets = sorted(SHEETS.all(), key=lambda sheet: sheet.game.name.casefold())
    context = {"sheets": sheets, "general": by_kind(SheetNote.objects.filter(sheet=None)), "official": OFFICIAL}
    return render(request, "website/big/games.html", context)


@everyone
@versioned
@require_safe
def game(request: HttpRequest, slug: str) -> HttpResponse:
    sheet = get_object_or_404(SHEETS, game__slug=slug)
    edition = for_year(timezone.localdate().year)
    context = {
        "sheet": sheet,
        "notes": by_kind(sheet.notes.all()),
        "rounds": phase_words.rounds(sheet, edition),
        "final": phase_words.final(sheet, edition),
        "hardcore": hardcore() if sheet.final_format == GameSheet.FinalFormat.HARDCORE else None,
        "official": OFFICIAL,
    }
    return render(request, "website/big/game.html", context)


def by_kind(notes: Iterable[SheetNote]) -> list[tuple[str, list[SheetNote]]]:
    """Kinds in the order of the model, each with its notes."""
    found = list(notes)
    groups = [(kind.label, [note for note in found if note.kind == kind]) for kind in SheetNote.Kind]
    return [(str(label), group) for label, group in groups if group]


def hardcore() -> dict[str, object]:
    """What was played, year by year, and what rests at the next final."""
    picks = list(HardcorePick.objects.all())
    chosen = max((pick.year for pick in picks), default=0)
    coming = max(chosen + 1, timezone.localdate().year)
    rests = resting((Pick(pick.year, pick.title) for pick in picks), coming)
    years: dict[int, list[tuple[str, bool]]] = {}
    for pick in picks:
        years.setdefault(pick.year, []).append((pick.title, rests.get(pick.title) == pick.year))
    return {"years": years, "coming": coming, "resting": sorted(rests)}
