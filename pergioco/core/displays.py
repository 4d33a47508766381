"""Tables outside of their page: on a wall (`?screen=1`), in a frame on other sites; QR codes."""

from collections.abc import Callable
from typing import Any

from allauth.mfa.adapter import get_adapter
from csp.decorators import csp_replace
from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt

PER_SCREEN = 10
SCREEN_SECONDS = 15


def is_screen(request: HttpRequest) -> bool:
    return request.GET.get("screen") == "1"


def render_screen(
    request: HttpRequest, template: str, page: Page[Any] | None, values: dict[str, Any]
) -> HttpResponse:
    """`template` extends “screen.html”. The last page leads back to the first."""
    stays = request.GET.get("stay") == "1"
    values |= {"page": page, "now": timezone.localtime(), "stays": stays}
    values["screen_theme"] = "light" if request.GET.get("theme") == "light" else "dark"
    answer = render(request, template, values)
    answer.headers["Cache-Control"] = "no-store"  # the time is on it
    if not stays:
        following = page.next_page_number() if page is not None and page.has_next() else 1
        answer.headers["Refresh"] = (
            f"{SCREEN_SECONDS}; url={screen_address(request, page=str(following))}"
        )
    return answer


def screen_address(request: HttpRequest, **changed: str) -> str:
    query = request.GET.copy()
    for name, value in changed.items():
        query[name] = value
    return f"{request.path}?{query.urlencode()}"


EMBED_PLACES = 20
EMBED_HEIGHT = 640

allow_any_ancestor: Callable[[Any], Any] = csp_replace({"frame-ancestors": ["*"]})


def allow_framing(view: Callable[..., Any]) -> Callable[..., Any]:
    # Outermost, because a 304 needs these headers too
    allowed: Callable[..., Any] = xframe_options_exempt(allow_any_ancestor(view))
    return allowed


def render_embed(
    request: HttpRequest, template: str, whole: str, values: dict[str, Any]
) -> HttpResponse:
    """`template` extends “embed.html”; `whole` is the URL of the full page."""
    theme = request.GET.get("theme", "")
    values |= {"whole": whole, "frame_theme": theme if theme in {"light", "dark"} else ""}
    return render(request, template, values)


def embed_code(address: str, title: str) -> str:
    return format_html(
        '<iframe src="{}" title="{}" width="100%" height="{}" loading="lazy"></iframe>',
        address,
        title,
        EMBED_HEIGHT,
    )


def draw_qr_code(link: str) -> SafeString:
    # allauth draws the code; the XML declaration is cut off, inline SVG must not have it
    drawing = get_adapter().build_totp_svg(link)
    return mark_safe(drawing[drawing.index("<svg") :])  # noqa: S308 - a drawing of a link of our own  # nosec B308, B703
