"""What corrections changed of numbers that were public: what, why, by whom, when."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from pergioco.ledger.models import Erratum
from pergioco.players.policy import everyone
from pergioco.website import errata_words

PER_PAGE = 50
MOVES_PER_PAGE = 500
WITH_STAGE = ("season", "revision__stage__game", "revision__stage__season")


@everyone
@require_safe
def errata(request: HttpRequest) -> HttpResponse:
    rows = Erratum.objects.select_related(*WITH_STAGE, "publication").defer("changes", "publication__ratings")
    page = Paginator(rows.order_by("-id"), PER_PAGE).get_page(request.GET.get("page"))
    listed = [(row, errata_words.cause(row)) for row in page]
    return render(request, "website/errata/list.html", {"page": page, "listed": listed})


@everyone
@require_safe
def erratum(request: HttpRequest, number: int) -> HttpResponse:
    rows = Erratum.objects.select_related(*WITH_STAGE, "against", "publication", "decided_by", "approved_by")
    row = get_object_or_404(rows, pk=number)
    page = Paginator(errata_words.in_order(row.changes["moves"]), MOVES_PER_PAGE).get_page(request.GET.get("page"))
    rerated = errata_words.rerated(row)
    values = {
        "erratum": row,
        "cause": errata_words.cause(row),
        "decided_by": errata_words.hat(row.decided_by),
        "approved_by": row.approved_by and errata_words.hat(row.approved_by),
        "page": page,
        "moves": errata_words.moved(page),
        "rerated": rerated,
        "unnamed": len(row.changes["pgr"]) - len(rerated),
        "unlisted": errata_words.unlisted(row),
        "cases": row.revision.cases.order_by("pk") if row.revision else [],
    }
    return render(request, "website/errata/one.html", values)
