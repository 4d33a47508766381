"""Run once after `PORTAL_SECRET_KEY` was replaced, with the one before in `PORTAL_FORMER_SECRET_KEY`."""

from typing import Any

from django.core.management.base import BaseCommand

from pergioco.account import factor_secrets


class Command(BaseCommand):
    help = "Encrypts what second factors are made of with the key of today. Run twice, it does no harm."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{factor_secrets.renew()} encrypted with the key of today.")
