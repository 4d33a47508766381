"""Brochures and exports at the desk, and the public downloads."""

import hashlib
import json
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from pergioco.core import errors
from pergioco.core.exports.as_xlsx import workbook_response
from pergioco.core.limits import consume
from pergioco.core.pages import page_or_form, paginate
from pergioco.core.policy import Role, UserRequest, allow, everyone, may_enter
from pergioco.core.refusal import Refused
from pergioco.office.brochures import registry, typesetting
from pergioco.office.forms import BrochureForm, ExportForm
from pergioco.office.models import Brochure, Export, Page
from pergioco.office.services import brochures, exports
from pergioco.players.naming import named_in_public
from pergioco.publishing import published
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Season
from race import race_sheet
from ratings import stage_games
from ratings import stage_sheet as sheet_of_stage

BROCHURES_PER_PAGE = 30
BROCHURE_REFRESH_SECONDS = 2
CONFLICT = 409
LONGEST = timedelta(seconds=280)


def brochure_rows() -> QuerySet[Brochure]:
    return Brochure.objects.select_related("season", "publication", "by", "job").defer(
        "pdf", "publication__ratings"
    )


@allow(Role.STAFF)
@page_or_form
def list_brochures(request: UserRequest) -> HttpResponse:
    form = BrochureForm(request.POST or None)
    if form.is_valid():
        made = brochures.request_brochure(form.wanted, by=request.user)
        return redirect("staff-brochure", made.pk)
    page = paginate(request, brochure_rows(), BROCHURES_PER_PAGE)
    stale, names = brochures.find_stale_since(list(page)), dict(registry.list_rankings())
    listed = [(row, stale.get(row.pk), names.get(row.about, row.about)) for row in page]
    return render(
        request, "office/brochures/list.html", {"form": form, "page": page, "listed": listed}
    )


@allow(Role.STAFF)
@page_or_form
def staff_brochure(request: UserRequest, number: int) -> HttpResponse:
    row, trouble = get_object_or_404(brochure_rows(), pk=number), ""
    if request.method == "POST":
        try:
            return act_on_brochure(row, request)
        except Refused as refusal:
            trouble = str(refusal.sentence)
            row.refresh_from_db(fields=["made_at", "published_at"])
    answer = render(
        request,
        "office/brochures/one.html",
        brochure_values(row) | {"trouble": trouble},
        status=CONFLICT if trouble else 200,
    )
    if not row.is_over:
        answer.headers["Refresh"] = str(BROCHURE_REFRESH_SECONDS)
    return answer


def brochure_values(row: Brochure) -> dict[str, Any]:
    # “big” is one of each
    names = dict(registry.list_sections() if row.sections else registry.list_rankings())
    return {
        "brochure": row,
        "stale_since": brochures.find_stale_since([row]).get(row.pk),
        "parts": [names.get(key, key) for key in (row.sections or [row.about])],
        "page_numbers": list(row.shown.values_list("number", flat=True)),
        "waits_long": not row.is_over and timezone.now() - row.asked_at > LONGEST,
    }


def act_on_brochure(row: Brochure, request: UserRequest) -> HttpResponse:
    by = request.user
    steps = {
        "publish": (
            brochures.publish_brochure,
            _("Published: it stands in the archive and beside the rankings."),
        ),
        "take_down": (brochures.take_down_brochure, _("It is no longer on the public pages.")),
        "throw_away": (brochures.delete_brochure, _("Thrown away.")),
    }
    step = request.POST.get("step", "")
    if step == "again":
        return redirect("staff-brochure", brochures.repeat_brochure(row, by=by).pk)
    if step not in steps:
        return redirect("staff-brochure", row.pk)
    do, said = steps[step]
    do(row, by=by)
    messages.success(request, said)
    return (
        redirect("staff-brochures") if step == "throw_away" else redirect("staff-brochure", row.pk)
    )


@allow(Role.STAFF)
@require_safe
def brochure_picture(request: HttpRequest, number: int, page: int) -> HttpResponse:
    row = get_object_or_404(Page, brochure=number, number=page)
    return HttpResponse(bytes(row.png), content_type="image/png")


EXPORTS_PER_PAGE = 30
EXPORT_REFRESH_SECONDS = 3
ZIP = "application/zip"


@allow(Role.STAFF)
@page_or_form
def list_exports(request: UserRequest) -> HttpResponse:
    form = ExportForm(request.POST or None)
    if form.is_valid():
        wanted = form.cleaned_data
        exports.request_export(
            wanted["what"], wanted["language"], season=wanted["season"], by=request.user
        )
        messages.success(
            request, _("The export is being written. It stands in the list when it is ready.")
        )
        return redirect("staff-exports")
    saved = Export.objects.defer("content").select_related("season", "by", "job")
    page = paginate(request, saved, EXPORTS_PER_PAGE)
    listed = [(row, exports.KINDS[row.what]) for row in page]
    answer = render(
        request,
        "office/brochures/exports.html",
        {"form": form, "page": page, "listed": listed, "kinds": exports.KINDS},
    )
    if request.method != "POST" and any(not row.is_over for row in page):
        answer.headers["Refresh"] = str(EXPORT_REFRESH_SECONDS)
    return answer


@allow(Role.STAFF)
@require_POST
def download_export(request: UserRequest, number: int) -> HttpResponse:
    # A POST, because downloads are logged; never cached.
    row = get_object_or_404(Export.objects.select_related("season"), pk=number)
    if not row.is_done:
        raise Http404
    name = "-".join(
        filter(
            None, ("pergioco", row.what, str(row.season.year) if row.season else "", row.language)
        )
    )
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.zip"',
        "Cache-Control": "no-store, private",
    }
    return HttpResponse(
        exports.take_export(row, by=request.user), content_type=ZIP, headers=headers
    )


@allow(Role.STAFF)
@require_POST
def throw_away_export(request: UserRequest, number: int) -> HttpResponse:
    exports.delete_export(
        get_object_or_404(Export.objects.defer("content"), pk=number), by=request.user
    )
    messages.success(request, _("Thrown away."))
    return redirect("staff-exports")


PDF = "application/pdf"
RATE = "30/m/ip"  # it is set anew for each who asks


@everyone
@require_safe
def download_stage_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    stage = get_object_or_404(closed_stages().select_related("game"), slug=slug)
    games = stage_games.read_stage_sides(stage)
    if not games.changes:
        raise Http404
    return workbook_response(sheet_of_stage.stage_workbook(stage, games), f"pgr-{stage.slug}")


@everyone
@require_safe
def download_race_sheet(request: HttpRequest, year: int, public_id: str) -> HttpResponse:
    season = get_object_or_404(Season, year=year)
    player = get_object_or_404(named_in_public().with_names(), public_id=public_id)
    version = published.find_version(season)
    race = race_sheet.race_of(player, version) if version else None
    if race is None:
        raise Http404
    return workbook_response(race_sheet.race_workbook(race), f"race-{year}")


@everyone
@require_safe
def download_brochure(request: HttpRequest, number: int) -> HttpResponse:
    # Not as soon as it names a player who may no longer be named. Staff see unpublished ones too.
    row = get_object_or_404(Brochure.objects.filter(pdf__isnull=False), pk=number)
    if row.published_at is None and not may_enter(request.user, Role.STAFF):
        raise Http404
    if not brochures.names_only_public_players(row):
        raise Http404
    return pdf_response(bytes(row.pdf or b""), row.file)


@everyone
@require_safe
def download_poster(request: HttpRequest, year: int, slug: str) -> HttpResponseBase:
    return print_on_demand(request, "poster", year, slug)


@everyone
@require_safe
def download_certificate(
    request: HttpRequest, year: int, kind: str, public_id: str
) -> HttpResponseBase:
    return print_on_demand(request, "certificate", year, f"{kind}/{public_id}")


def print_on_demand(request: HttpRequest, kind: str, year: int, about: str) -> HttpResponseBase:
    # Set while the reader waits; a matching ETag saves the work.
    language = get_language() or "it"
    found = registry.read_paper(kind, language, year=year, about=about)
    if found is None:
        raise Http404
    etag = f'"{hashlib.sha256(json.dumps(found.data, sort_keys=True).encode()).hexdigest()}"'
    known: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if known is not None:
        return known
    if not consume(request, "print", RATE):
        return errors.too_many_requests(request)
    answer = pdf_response(
        typesetting.set_pdf(found.template, found.data), f"{found.file}-{language}"
    )
    answer.headers["ETag"] = etag
    return answer


def pdf_response(pdf: bytes, file: str) -> HttpResponse:
    return HttpResponse(
        pdf, content_type=PDF, headers={"Content-Disposition": f'inline; filename="{file}.pdf"'}
    )
