"""Destroys the personal data of one player, as the page for deleting one's own data does."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pergioco.players.erasing import erase
from pergioco.players.models import Player
from pergioco.players.refusal import Refused


class Command(BaseCommand):
    help = "Destroys the personal data of one player. The results stay, under the number."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("public_id", help="the player's number, as in the address of the profile")

    def handle(self, *args: Any, **options: Any) -> None:
        player = Player.objects.filter(public_id=options["public_id"]).first()
        if player is None:
            raise CommandError(f"There is no player {options['public_id']}.")
        try:
            is_done = erase(player, by=None)
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal
        self.stdout.write("Erased." if is_done else "There was nothing left to erase.")
