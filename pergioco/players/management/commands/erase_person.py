"""Erases the personal data of one player, like the account page does."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.players.services.erasing import erase_player


class Command(BaseCommand):
    help = "Destroys the personal data of one player. The results stay, under the number."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "public_id", help="the player's number, as in the address of the profile"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        player = Player.objects.filter(public_id=options["public_id"]).first()
        if player is None:
            raise CommandError(f"There is no player {options['public_id']}.")
        try:
            is_done = erase_player(player, by=None)
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal
        self.stdout.write("Erased." if is_done else "There was nothing left to erase.")
