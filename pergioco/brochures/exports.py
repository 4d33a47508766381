"""Saved exports at the office."""

from typing import cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from pergioco.brochures import saving
from pergioco.brochures.forms import ExportForm
from pergioco.brochures.models import Export
from pergioco.players.models import User
from pergioco.players.policy import Role, allow

PER_PAGE = 30
SECONDS_BETWEEN_LOOKS = 3
ZIP = "application/zip"


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def exports(request: HttpRequest) -> HttpResponse:
    form = ExportForm(request.POST or None)
    if form.is_valid():
        asked = form.cleaned_data
        saving.ask(asked["what"], asked["language"], season=asked["season"], by=cast("User", request.user))
        messages.success(request, _("The export is being written. It stands in the list when it is ready."))
        return redirect("staff-exports")
    saved = Export.objects.defer("content").select_related("season", "by")
    page = Paginator(saved, PER_PAGE).get_page(request.GET.get("page"))
    listed = [(row, saving.KINDS[row.what]) for row in page]
    answer = render(
        request, "brochures/exports.html", {"form": form, "page": page, "listed": listed, "kinds": saving.KINDS}
    )
    if request.method != "POST" and any(not row.is_over for row in page):
        answer.headers["Refresh"] = str(SECONDS_BETWEEN_LOOKS)
    return answer


@allow(Role.STAFF)
@require_POST
def download(request: HttpRequest, number: int) -> HttpResponse:
    """By a button, because who takes what away is written down; never kept by anybody on the way."""
    row = get_object_or_404(Export.objects.select_related("season"), pk=number)
    if not row.is_done:
        raise Http404
    name = "-".join(filter(None, ("pergioco", row.what, str(row.season.year) if row.season else "", row.language)))
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"', "Cache-Control": "no-store, private"}
    return HttpResponse(saving.take(row, by=cast("User", request.user)), content_type=ZIP, headers=headers)


@allow(Role.STAFF)
@require_POST
def throw_away(request: HttpRequest, number: int) -> HttpResponse:
    saving.throw_away(get_object_or_404(Export.objects.defer("content"), pk=number), by=cast("User", request.user))
    messages.success(request, _("Thrown away."))
    return redirect("staff-exports")
