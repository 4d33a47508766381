from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RankingsConfig(AppConfig):
    name = "rankings"
    verbose_name = _("Rankings")

    def ready(self) -> None:
        from pergioco.publishing.computed import register_ranking
        from rankings import compute

        register_ranking("rankings", compute.compute_season_rankings)
