"""Tables in a frame on other people's pages: no cookies, nothing to type, and the only pages that a frame may show."""

from collections.abc import Callable
from typing import Any

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.views.decorators.clickjacking import xframe_options_exempt

PLACES = 20
HEIGHT = 640

framed: Callable[[Any], Any] = csp_replace({"frame-ancestors": ["*"]})


def may_be_framed(view: Callable[..., Any]) -> Callable[..., Any]:
    """Every other page refuses to stand in a frame. Outside of what may answer 304: that has to say it too."""
    allowed: Callable[..., Any] = xframe_options_exempt(framed(view))
    return allowed


def show(request: HttpRequest, template: str, whole: str, values: dict[str, Any]) -> HttpResponse:
    """`template` extends “embed.html”; `whole` is the address of the page that it is an excerpt of."""
    theme = request.GET.get("theme", "")
    values |= {"whole": whole, "frame_theme": theme if theme in {"light", "dark"} else ""}
    return render(request, template, values)


def code(address: str, title: str) -> str:
    """To be copied into a page."""
    return format_html(
        '<iframe src="{}" title="{}" width="100%" height="{}" loading="lazy"></iframe>', address, title, HEIGHT
    )
