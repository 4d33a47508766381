"""Run once after `PORTAL_SECRET_KEY` changed, with the old key in `PORTAL_FORMER_SECRET_KEY`."""

from typing import Any

from django.core.management.base import BaseCommand

from pergioco.players import sign_in


class Command(BaseCommand):
    help = (
        "Encrypts what second factors are made of with the key of today. Run twice, it does no "
        "harm."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{sign_in.reencrypt_factors()} encrypted with the key of today.")
