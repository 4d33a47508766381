from django.apps import AppConfig


class BigLeagueConfig(AppConfig):
    name = "big_league"
    verbose_name = "Board Italian Gamers"
