"""Every address of the portal. Pages carry their language; addresses for machines do not."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from pergioco.players.policy import everyone
from pergioco.website import health, metrics, robots, theme

admin.autodiscover()

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path(".well-known/security.txt", robots.security, name="security"),
    path("api/", include("pergioco.api.urls")),
    path("theme/", theme.choose, name="theme"),
    path("favicon.ico", robots.icon, name="icon"),
    path("robots.txt", robots.robots, name="robots"),
    path("sitemap.xml", robots.index, name="sitemap"),
    path("sitemap-<slug:section>.xml", robots.section, name="sitemap-section"),
    path("", include("pergioco.website.printed_addresses")),
    *i18n_patterns(
        path("risiko/<slug:slug>/control/", include("pergioco.desk.masters.urls")),
        path("", include("pergioco.website.urls")),
        path("", include("pergioco.account.urls")),
        path("", include("pergioco.brochures.urls")),
        path("", include("pergioco.contact.newsletter.urls")),
        path("", include("pergioco.contact.notices.urls")),
        path("staff/stages/<int:stage>/import/", include("pergioco.imports.urls")),
        path("staff/", include("pergioco.desk.urls")),
        path("account/signup/", everyone(RedirectView.as_view(pattern_name="register"))),
        path("account/", include("allauth.urls")),
        path("admin/", admin.site.urls),
    ),
]
handler400 = "pergioco.website.errors.bad_request"
handler403 = "pergioco.website.errors.forbidden"
handler404 = "pergioco.website.errors.not_found"
handler429 = "pergioco.website.errors.too_many"  # allauth asks for it when somebody tries too often
handler500 = "pergioco.website.errors.server_fault"
