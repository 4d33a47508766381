from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    name = "pergioco.players"
    verbose_name = _("People")

    def ready(self) -> None:
        from pergioco.players.permissions import put_into_force

        post_migrate.connect(put_into_force, dispatch_uid="rights of the groups")
