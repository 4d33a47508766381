"""Sitemaps of the public pages, in three languages."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.db.models import Q
from django.urls import reverse

from big_league.models import GameSheet
from pergioco.players.models.people import PlayerQuerySet
from pergioco.players.naming import named_in_public
from pergioco.publishing.models import Shown
from pergioco.publishing.queries.ranking_labels import GREAT, ranking_address
from pergioco.stages.models import Season, Stage

if TYPE_CHECKING:
    Base = Sitemap[Any]
else:
    Base = Sitemap


class PortalSitemap(Base):
    i18n = True
    alternates = True
    limit = 6_000  # addresses, each beside its two translations: some 3 MB

    def get_domain(self, site: Any = None) -> str:
        return settings.PUBLIC_URL.netloc

    def get_protocol(self, protocol: str | None = None) -> str:
        return settings.PUBLIC_URL.scheme


class Pages(PortalSitemap):
    def items(self) -> list[str]:
        return [
            *("home", "calendar", "games", "big-home", "big-games", "big-finals"),
            *("complaint", "contact", "newsletters", "risiko", "archive", "errata"),
            *("rules", "rules-pgm", "about", "statements", "privacy", "accessibility"),
        ]

    def location(self, item: str) -> str:
        return reverse(item)


class Stages(PortalSitemap):
    def items(self) -> list[tuple[int, str]]:
        return list(Stage.objects.order_by("pk").values_list("season__year", "slug"))

    def location(self, item: tuple[int, str]) -> str:
        return reverse("stage", args=item)


class Rankings(PortalSitemap):
    def items(self) -> list[tuple[int, str]]:
        public = Q(kind__in=GREAT)
        for family in ("game:", "big:", "big-elo:"):
            public |= Q(kind__startswith=family)
        shown = Shown.objects.filter(public, publication__is_current=True)
        rows = shown.values_list("publication__season__year", "kind")
        return list(rows.order_by("publication__season__year", "kind"))

    def location(self, item: tuple[int, str]) -> str:
        year, kind = item
        return ranking_address("ranking", kind, Season(year=year))


class Players(PortalSitemap):
    def items(self) -> PlayerQuerySet:
        return named_in_public().with_names().order_by("pk")


class BigGames(PortalSitemap):
    def items(self) -> list[GameSheet]:
        return list(GameSheet.objects.select_related("game").order_by("game__slug"))


SITEMAPS: "dict[str, type[Base] | Base]" = {
    "pages": Pages,
    "rankings": Rankings,
    "stages": Stages,
    "players": Players,
    "big": BigGames,
}
