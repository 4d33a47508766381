"""What machines read first: where they need not look, the list of the pages, and whom to tell about a hole."""

from datetime import time, timedelta

from django.conf import settings
from django.contrib.sitemaps import views
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.players.policy import everyone
from pergioco.website.addresses import whole
from pergioco.website.sitemaps import SITEMAPS

SECURITY_TEXT_IS_GOOD_FOR = timedelta(days=90)
NOT_FOR_SEARCHING = ("account/", "admin/", "staff/", "me/", "register/", "calendar/mine/")


@everyone
@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *"]
    lines += [f"Disallow: /{code}/{path}" for code, _name in settings.LANGUAGES for path in NOT_FOR_SEARCHING]
    lines += ["", f"Sitemap: {whole(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@everyone
@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """RFC 9116. What was fetched runs out after ninety days: a site that is gone promises nothing."""
    until = timezone.localdate() + SECURITY_TEXT_IS_GOOD_FOR
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {until:%Y-%m-%d}T{time():%H:%M:%S}Z",
        "Preferred-Languages: " + ", ".join(code for code, _name in settings.LANGUAGES),
        f"Canonical: {whole(reverse('security'))}",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@everyone
@require_safe
def index(request: HttpRequest) -> HttpResponseBase:
    return views.index(request, SITEMAPS, sitemap_url_name="sitemap-section")


@everyone
@require_safe
def section(request: HttpRequest, section: str) -> HttpResponseBase:
    return views.sitemap(request, SITEMAPS, section=section)


@everyone
@require_safe
def icon(request: HttpRequest) -> HttpResponseBase:
    """Browsers ask for it by themselves where a page says nothing of its icon: a frame, a file."""
    return redirect(static("icons/portal.svg"))
