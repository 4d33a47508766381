"""Light, dark or automatic colours, chosen by a form without JavaScript."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from pergioco.core.policy import everyone

THEMES = ("auto", "light", "dark")
COOKIE_SECONDS = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    value = request.COOKIES.get(settings.THEME_COOKIE_NAME, "auto")
    return value if value in THEMES else "auto"


@everyone
@csrf_exempt  # only sets colours; without a token all visitors get the same cacheable page
@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    back = request.POST.get("next", "/")
    safe = url_has_allowed_host_and_scheme(
        back, {request.get_host()}, require_https=request.is_secure()
    )
    response = HttpResponseRedirect(back if safe else "/")
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        name, secure = settings.THEME_COOKIE_NAME, settings.SESSION_COOKIE_SECURE
        response.set_cookie(
            name, theme, max_age=COOKIE_SECONDS, samesite="Lax", secure=secure, httponly=True
        )
    return response
