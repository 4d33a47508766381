"""Variables for every template."""

from django.conf import settings
from django.http import HttpRequest

from pergioco.core import theme
from pergioco.core.addresses import absolute_url
from pergioco.core.policy import DESK, has_role


def site(request: HttpRequest) -> dict[str, object]:
    user = getattr(request, "user", None)
    return {
        "theme": theme.theme_of(request),
        "demo": settings.DEMO,
        "public_url": absolute_url(),
        "shows_desk": user is not None and has_role(user, *DESK),
    }
