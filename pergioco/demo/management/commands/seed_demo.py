"""Creates the demo data and prints the logins."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pergioco.core.addresses import absolute_url
from pergioco.core.refusal import Refused
from pergioco.demo import logins, seeding


class Command(BaseCommand):
    help = (
        "Fills an empty database with invented people, games and two seasons. A second run "
        "changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--force", action="store_true", help="also when PORTAL_DEMO is off; never in production"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = seeding.seed(force=options["force"])
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal
        self.stdout.write(
            "The demo federation is ready." if made else "The demo federation exists already."
        )
        self.stdout.write(f"\n  {absolute_url('/')}\n")
        self.stdout.write(f"  Password of all logins: {logins.PASSWORD}\n")
        for login in logins.LOGINS:
            self.stdout.write(f"  {login.email:<24} {login.who}")
        if settings.DEMO:
            self.stdout.write("\n  All but the player need a code; in the demo the page shows it.")
