from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class DeskConfig(AppConfig):
    name = "pergioco.desk"


class GatedAdminConfig(admin_apps.AdminConfig):
    """Takes the place of `django.contrib.admin` in INSTALLED_APPS."""

    default = False
    default_site = "pergioco.desk.admin_gate.GatedAdminSite"
