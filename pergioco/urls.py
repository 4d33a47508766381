"""All URLs. Pages have a language prefix, URLs for machines have none."""

from allauth.usersessions.views import list_usersessions
from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from big_league import urls as big_league
from pergioco.core import theme
from pergioco.core.policy import everyone, require_reauthentication
from pergioco.office import urls as office
from pergioco.office.admin_site import GatedAdminSite
from pergioco.players import urls as players
from pergioco.publishing import urls as publishing
from pergioco.stages import urls as stages
from pergioco.website import urls as website
from ratings import urls as ratings
from risiko_master import urls as risiko_master

admin.autodiscover()
GatedAdminSite.pages = stages.admin_pages

public_urls: list[URLPattern | URLResolver] = [
    *website.page_urls,
    *publishing.public_urls,
    *ratings.game_urls,
    *ratings.what_if_urls,
    *stages.public_urls,
    *stages.table_urls,
    *players.public_urls,
    *players.my_urls,
    *office.public_urls,
    *big_league.final_urls,
    *risiko_master.draw_urls,
    *risiko_master.public_urls,
    path("calendar/", include(stages.calendar_urls)),
    path("feeds/", include(website.feed_urls)),
    path("big/", include(big_league.public_urls)),
    path("big/", include(big_league.event_urls)),
    path("why/big/", include(big_league.why_urls)),
]
desk_urls: list[URLPattern | URLResolver] = [
    *office.desk_urls,
    *players.desk_urls,
    *stages.desk_urls,
    *publishing.desk_urls,
    *big_league.desk_urls,
    *risiko_master.desk_urls,
    path("stages/<int:stage>/import/", include("pergioco.imports.urls")),
]
urlpatterns = [
    *website.machine_urls,
    *publishing.machine_urls,
    path("api/", include("pergioco.api.urls")),
    path("theme/", theme.choose_theme, name="theme"),
    *website.printed_urls,
    *i18n_patterns(
        path("risiko/<slug:slug>/control/", include(risiko_master.control_urls)),
        path("", include(public_urls)),
        path("staff/", include(desk_urls)),
        path(
            "account/sessions/",
            require_reauthentication(list_usersessions),
            name="usersessions_list",
        ),
        path("account/signup/", everyone(RedirectView.as_view(pattern_name="register"))),
        path("account/", include("allauth.urls")),
        path("admin/", admin.site.urls),
    ),
]
handler400 = "pergioco.core.errors.bad_request"
handler403 = "pergioco.core.errors.forbidden"
handler404 = "pergioco.core.errors.not_found"
handler429 = "pergioco.core.errors.too_many_requests"  # used by allauth's rate limits
handler500 = "pergioco.core.errors.server_fault"
