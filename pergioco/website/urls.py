from django.urls import URLPattern, path
from django.views.generic import RedirectView

from pergioco.core.policy import everyone
from pergioco.website.views import feeds, machines, pages

page_urls = [
    path("", pages.home_page, name="home"),
    path("about/", pages.about_page, name="about"),
    path("about/privacy/", pages.privacy_page, name="privacy"),
    path("about/accessibility/", pages.accessibility_page, name="accessibility"),
    path("about/style/", pages.style_page, name="style"),
    path("rules/", pages.rules_page, name="rules"),
    path("rules/pgm/", pages.rules_pgm_page, name="rules-pgm"),
    path("rules/readings/<int:year>/", pages.readings_page, name="readings"),
]
feed_urls = [
    path("results.atom", feeds.results_feed, name="feed-results"),
    path("rankings.atom", feeds.rankings_feed, name="feed-rankings"),
    path("games/<slug:slug>.atom", feeds.game_feed, name="feed-game"),
    path("players/<slug:public_id>.atom", feeds.player_feed, name="feed-player"),
]
# For programs: their addresses carry no language.
machine_urls = [
    path("healthz", machines.healthz, name="healthz"),
    path("readyz", machines.readyz, name="readyz"),
    path("metrics", machines.metrics_page, name="metrics"),
    path(".well-known/security.txt", machines.security_txt, name="security"),
    path("favicon.ico", machines.favicon, name="icon"),
    path("robots.txt", machines.robots_txt, name="robots"),
    path("sitemap.xml", machines.sitemap_index, name="sitemap"),
    path("sitemap-<slug:section>.xml", machines.sitemap_section, name="sitemap-section"),
]

# Printed address -> name of the page that answers today. The reader's language is added on the way.
PRINTED_ADDRESSES = {
    "pgmasters.html": "home",
    "pgm-registration.html": "register",
    "pgm-schedule.html": "calendar",
    "pgm-complaints.html": "complaint",
    "pgm-contacts.html": "contact",
    "privacy.html": "privacy",
}


def redirect_printed_address(page: str, address: str) -> URLPattern:
    view = RedirectView.as_view(
        pattern_name=page, permanent=True, http_method_names=["get", "head"]
    )
    return path(address, everyone(view), name=f"printed-{address.removesuffix('.html')}")


printed_urls = [
    redirect_printed_address(page, address) for address, page in PRINTED_ADDRESSES.items()
]
