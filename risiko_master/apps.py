from django.apps import AppConfig


class RisikoMasterConfig(AppConfig):
    name = "risiko_master"
    verbose_name = "RisiKo! Master"
