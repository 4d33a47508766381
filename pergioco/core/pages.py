"""What views of several apps share: lists by page, and pages with forms."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from pergioco.core.forms import UseCaseForm
from pergioco.core.policy import UserRequest

Row = TypeVar("Row", bound=Model)
PER_PAGE = 50
page_or_form = require_http_methods(["GET", "HEAD", "POST"])


def paginate(request: HttpRequest, rows: QuerySet[Row], per_page: int = 0) -> Page[Row]:
    return Paginator(rows, per_page or PER_PAGE).get_page(request.GET.get("page"))


def posted_step(request: HttpRequest, *steps: str) -> QueryDict | None:
    """What was sent, if by the form of one of these steps: the others stay as they were."""
    return request.POST if request.POST.get("step") in steps else None


class Step(NamedTuple):
    """One of several forms of a page, each with a hidden field `step`."""

    form: Callable[[Any], UseCaseForm]
    act: Callable[..., object]
    said: str = ""  # message after success


def try_steps(request: UserRequest, steps: Mapping[str, Step]) -> dict[str, UseCaseForm]:
    """The forms by step for the page; empty after a successful step."""
    wanted = request.POST.get("step", "")
    tried = {
        name: step.form(request.POST if name == wanted else None) for name, step in steps.items()
    }
    if wanted not in steps or not tried[wanted].carries_out(steps[wanted].act, by=request.user):
        return tried
    if steps[wanted].said:
        messages.success(request, steps[wanted].said)
    return {}


def form_status(*forms: UseCaseForm) -> HTTPStatus:
    """409 if another user was faster."""
    return HTTPStatus.CONFLICT if any(form.is_outdated for form in forms) else HTTPStatus.OK


def render_forms(
    request: HttpRequest, template: str, values: dict[str, Any], *forms: UseCaseForm
) -> HttpResponse:
    """After a change by another user (409) the page shows the row as it is now, and what was
    typed."""
    status = form_status(*forms)
    values |= {"outdated": status == HTTPStatus.CONFLICT}
    return render(request, template, values, status=status)
