from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RaceConfig(AppConfig):
    name = "race"
    verbose_name = _("Race")
