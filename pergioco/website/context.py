"""What every template may use."""

from django.conf import settings
from django.http import HttpRequest

from pergioco.players.policy import DESK, has_role
from pergioco.website import theme


def site(request: HttpRequest) -> dict[str, object]:
    user = getattr(request, "user", None)
    return {
        "theme": theme.of(request),
        "demo": settings.DEMO,
        "public_url": settings.PUBLIC_URL.geturl().rstrip("/"),
        "shows_desk": user is not None and has_role(user, *DESK),
    }
