from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class LedgerConfig(AppConfig):
    name = "pergioco.ledger"
    verbose_name = _("Ledger and waiting work")

    def ready(self) -> None:
        from pergioco.ledger import guards, marks

        pre_migrate.connect(guards.take_down_for, sender=self, dispatch_uid="guards of frozen years go")
        post_migrate.connect(guards.put_up, sender=self, dispatch_uid="guards of frozen years come")
        pre_migrate.connect(marks.take_down_for, sender=self, dispatch_uid="marks of changes go")
        post_migrate.connect(marks.put_up, sender=self, dispatch_uid="marks of changes come")
