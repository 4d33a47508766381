"""Archive of final seasons, their files, and errata."""

from functools import partial

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import condition, require_safe

from pergioco.core import errors, limits
from pergioco.core.exports.download import file_response
from pergioco.core.page_cache import versioned
from pergioco.core.policy import everyone
from pergioco.office.models import PrizeList
from pergioco.players.queries.results import find_finals_won, load_champions
from pergioco.publishing.models import Erratum, Freeze
from pergioco.publishing.published import Published, published_seasons, version_state
from pergioco.publishing.queries import change_labels
from pergioco.publishing.queries.archive import archived_years, final_freezes, final_rankings
from pergioco.publishing.queries.ranking_labels import KINDS, NAMES
from pergioco.publishing.queries.season_exports import write_season_bundle
from pergioco.website.regulations.rendering import FIRST_SEASON

BUNDLE_RATE = "6/m/ip"  # written for each request
ZIP_CONTENT_TYPE = "application/zip"
PER_PAGE = 50
MOVES_PER_PAGE = 500
WITH_STAGE = ("season", "revision__stage__game", "revision__stage__season")


@everyone
@versioned
@require_safe
def show_archive(request: HttpRequest) -> HttpResponse:
    done = list(archived_years())
    still_open = published_seasons().exclude(pk__in=[year.freeze.season_id for year in done])
    return render(request, "publishing/archive.html", {"years": done, "still_open": still_open})


@everyone
@versioned
@require_safe
def show_archived_season(request: HttpRequest, year: int) -> HttpResponse:
    found = get_object_or_404(published_seasons(), year=year)
    freeze = final_freezes().filter(season=found).first()
    finals = find_finals_won(Q(computation__season=found))
    values: dict[str, object] = {
        "season": found,
        "freeze": freeze,
        "has_readings": year >= FIRST_SEASON,
        "big_champions": load_champions(finals),
    }
    if freeze is not None and freeze.publication is not None:
        version = Published(freeze.season, freeze.publication.as_of, freeze.publication)
        rankings = final_rankings(freeze.publication, found)
        prizes = PrizeList.objects.filter(season=found, state=PrizeList.State.ANNOUNCED)
        of_rankings = {one.ranking: one.prizes for one in prizes}
        listed = [(NAMES[kind], of_rankings[kind]) for kind in KINDS if kind in of_rankings]
        values |= {
            "version": version,
            "state": version_state(version),
            "rankings": rankings,
            "prizes": listed,
        }
    return render(request, "publishing/archive_year.html", values)


def document_etag(_request: HttpRequest, year: int) -> str | None:
    found = final_freezes().filter(season__year=year).values_list("sha256", flat=True).first()
    return f'"{found}"' if found else None


@everyone
@require_safe
@condition(etag_func=document_etag)
def download_document(request: HttpRequest, year: int) -> HttpResponse:
    # The exact bytes: their SHA-256 is the one in the archive.
    freeze = get_object_or_404(Freeze, season__year=year, frozen_at__isnull=False)
    answer = HttpResponse(freeze.document.encode(), content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="pergioco-{year}-rankings.txt"'
    return answer


@everyone
@require_safe
def download_season_bundle(request: HttpRequest, year: int) -> HttpResponseBase:
    freeze = final_freezes().filter(season__year=year).first()
    if freeze is None:
        raise Http404
    if not limits.consume(request, "season_bundle", BUNDLE_RATE):
        return errors.too_many_requests(request)
    return file_response(
        request, f"pergioco-{year}.zip", ZIP_CONTENT_TYPE, partial(write_season_bundle, freeze)
    )


@everyone
@require_safe
def list_errata(request: HttpRequest) -> HttpResponse:
    rows = Erratum.objects.select_related(*WITH_STAGE, "publication").defer(
        "changes", "publication__ratings"
    )
    page = Paginator(rows.order_by("-id"), PER_PAGE).get_page(request.GET.get("page"))
    listed = [(row, change_labels.label_cause(row)) for row in page]
    return render(request, "publishing/errata/list.html", {"page": page, "listed": listed})


@everyone
@require_safe
def show_erratum(request: HttpRequest, number: int) -> HttpResponse:
    rows = Erratum.objects.select_related(
        *WITH_STAGE, "against", "publication", "decided_by", "approved_by"
    )
    row = get_object_or_404(rows, pk=number)
    page = Paginator(change_labels.order_moves(row.changes["moves"]), MOVES_PER_PAGE).get_page(
        request.GET.get("page")
    )
    rerated = change_labels.list_rerated(row)
    values = {
        "erratum": row,
        "cause": change_labels.label_cause(row),
        "decided_by": change_labels.label_office(row.decided_by),
        "approved_by": row.approved_by and change_labels.label_office(row.approved_by),
        "page": page,
        "moves": change_labels.list_erratum_moves(page),
        "rerated": rerated,
        "unnamed": len(row.changes["pgr"]) - len(rerated),
        "unlisted": change_labels.count_unlisted(row),
        "cases": row.revision.cases.order_by("pk") if row.revision else [],
    }
    return render(request, "publishing/errata/one.html", values)
