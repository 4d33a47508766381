"""The brochures at the office: ask for one, look at its pages, publish it."""

from typing import Any, cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.brochures import choices, freshness, making
from pergioco.brochures.forms import BrochureForm
from pergioco.brochures.models import Brochure, Page
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Refused

PER_PAGE = 30
SECONDS_BETWEEN_LOOKS = 2
CONFLICT = 409


def rows() -> QuerySet[Brochure]:
    """Without the bytes."""
    return Brochure.objects.select_related("season", "publication", "by").defer("pdf", "publication__ratings")


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def brochures(request: HttpRequest) -> HttpResponse:
    form = BrochureForm(request.POST or None)
    if form.is_valid():
        made = making.ask(form.wanted, by=cast("User", request.user))
        return redirect("staff-brochure", made.pk)
    page = Paginator(rows(), PER_PAGE).get_page(request.GET.get("page"))
    stale, names = freshness.stale_since(list(page)), dict(choices.rankings())
    listed = [(row, stale.get(row.pk), names.get(row.about, row.about)) for row in page]
    return render(request, "brochures/list.html", {"form": form, "page": page, "listed": listed})


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def brochure(request: HttpRequest, number: int) -> HttpResponse:
    row, trouble = get_object_or_404(rows(), pk=number), ""
    if request.method == "POST":
        try:
            return act(row, request)
        except Refused as refusal:
            trouble = str(refusal.sentence)
            row.refresh_from_db(fields=["state", "published_at"])
    answer = render(
        request, "brochures/one.html", shown(row) | {"trouble": trouble}, status=CONFLICT if trouble else 200
    )
    if not row.is_over:
        answer.headers["Refresh"] = str(SECONDS_BETWEEN_LOOKS)
    return answer


def shown(row: Brochure) -> dict[str, Any]:
    names = dict(choices.sections() if row.sections else choices.rankings())  # “big” is one of each
    return {
        "brochure": row,
        "stale_since": freshness.stale_since([row]).get(row.pk),
        "parts": [names.get(key, key) for key in (row.sections or [row.about])],
        "page_numbers": list(row.shown.values_list("number", flat=True)),
        "waits_long": not row.is_over and timezone.now() - row.asked_at > Brochure.LONGEST,
    }


def act(row: Brochure, request: HttpRequest) -> HttpResponse:
    """One of four buttons; any other step does nothing."""
    by = cast("User", request.user)
    steps = {
        "publish": (making.publish, _("Published: it stands in the archive and beside the rankings.")),
        "take_down": (making.take_down, _("It is no longer on the public pages.")),
        "throw_away": (making.throw_away, _("Thrown away.")),
    }
    step = request.POST.get("step", "")
    if step == "again":
        return redirect("staff-brochure", making.again(row, by=by).pk)
    if step not in steps:
        return redirect("staff-brochure", row.pk)
    do, said = steps[step]
    do(row, by=by)
    messages.success(request, said)
    return redirect("staff-brochures") if step == "throw_away" else redirect("staff-brochure", row.pk)


@allow(Role.STAFF)
@require_safe
def picture(request: HttpRequest, number: int, page: int) -> HttpResponse:
    row = get_object_or_404(Page, brochure=number, number=page)
    return HttpResponse(bytes(row.png), content_type="image/png")
