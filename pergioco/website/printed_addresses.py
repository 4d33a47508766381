"""The addresses that the regulations and the federation's site have printed so far lead to the pages of today."""

from django.urls import URLPattern, path
from django.views.generic import RedirectView

from pergioco.players.policy import everyone

# Printed address -> name of the page that answers today. The reader's language is added on the way.
PAGES = {
    "pgmasters.html": "home",
    "pgm-registration.html": "register",
    "pgm-schedule.html": "calendar",
    "pgm-complaints.html": "complaint",
    "pgm-contacts.html": "contact",
    "privacy.html": "privacy",
}


def leading_to(page: str, address: str) -> URLPattern:
    view = RedirectView.as_view(pattern_name=page, permanent=True, http_method_names=["get", "head"])
    return path(address, everyone(view), name=f"printed-{address.removesuffix('.html')}")


urlpatterns = [leading_to(page, address) for address, page in PAGES.items()]
