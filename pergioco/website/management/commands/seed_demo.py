"""Makes the invented federation, and says who can sign in."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pergioco.demo import logins, seeding
from pergioco.players.refusal import Refused


class Command(BaseCommand):
    help = "Fills an empty database with invented people, games and two seasons. A second run changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--force", action="store_true", help="also when PORTAL_DEMO is off; never in production")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = seeding.seed(force=options["force"])
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal
        self.stdout.write("The demo federation is ready." if made else "The demo federation was there already.")
        self.stdout.write(f"\n  {settings.PUBLIC_URL.geturl().rstrip('/')}/\n")
        self.stdout.write(f"  Password of all logins: {logins.PASSWORD}\n")
        for login in logins.LOGINS:
            self.stdout.write(f"  {login.email:<24} {login.who}")
        if settings.DEMO:
            self.stdout.write("\n  All but the player are asked for a code; the page itself shows it in the demo.")
