from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RaceConfig(AppConfig):
    name = "race"
    verbose_name = _("Race")

    def ready(self) -> None:
        from pergioco.publishing.computed import register_ranking
        from race import compute

        register_ranking("race", compute.compute_race_rankings)
