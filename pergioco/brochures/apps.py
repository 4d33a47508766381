from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BrochuresConfig(AppConfig):
    name = "pergioco.brochures"
    verbose_name = _("Brochures and exports")
