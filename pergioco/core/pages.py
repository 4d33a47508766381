"""What views of several apps share: lists by page, and pages with forms."""

from http import HTTPStatus
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from pergioco.core.forms import UseCaseForm

Row = TypeVar("Row", bound=Model)
PER_PAGE = 50
page_or_form = require_http_methods(["GET", "HEAD", "POST"])


def paginate(request: HttpRequest, rows: QuerySet[Row], per_page: int = 0) -> Page[Row]:
    return Paginator(rows, per_page or PER_PAGE).get_page(request.GET.get("page"))


def posted_step(request: HttpRequest, *steps: str) -> QueryDict | None:
    """What was sent, if by the form of one of these steps: the others stay as they were."""
    return request.POST if request.POST.get("step") in steps else None


def render_forms(
    request: HttpRequest, template: str, values: dict[str, Any], *forms: UseCaseForm
) -> HttpResponse:
    """After a change by somebody else (409) the page shows the row as it is now, and what was
    typed."""
    outdated = any(form.is_outdated for form in forms)
    status = HTTPStatus.CONFLICT if outdated else HTTPStatus.OK
    return render(request, template, values | {"outdated": outdated}, status=status)
