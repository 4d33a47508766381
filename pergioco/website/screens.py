"""A table on a wall (`?screen=1`): big, and it turns its own pages, without JavaScript too."""

from typing import Any

from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

PER_SCREEN = 10
SECONDS = 15


def is_screen(request: HttpRequest) -> bool:
    return request.GET.get("screen") == "1"


def show(request: HttpRequest, template: str, page: Page[Any] | None, values: dict[str, Any]) -> HttpResponse:
    """`template` extends “screen.html”. The last page leads to the first one again, with what is new by then."""
    stays = request.GET.get("stay") == "1"
    values |= {"page": page, "now": timezone.localtime(), "stays": stays}
    values["screen_theme"] = "light" if request.GET.get("theme") == "light" else "dark"
    answer = render(request, template, values)
    answer.headers["Cache-Control"] = "no-store"  # the time is on it
    if not stays:
        following = page.next_page_number() if page is not None and page.has_next() else 1
        answer.headers["Refresh"] = f"{SECONDS}; url={address(request, page=str(following))}"
    return answer


def address(request: HttpRequest, **changed: str) -> str:
    query = request.GET.copy()
    for name, value in changed.items():
        query[name] = value
    return f"{request.path}?{query.urlencode()}"
