"""Recomputes or checks ratings and rankings."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from pergioco.core.database import isolate_snapshot
from pergioco.publishing.services import publish
from pergioco.stages.models import Game
from ratings import checking
from ratings.compute import games_with_ratings


class Command(BaseCommand):
    help = (
        "Computes all ratings from the facts, writes what differs, and publishes the seasons that "
        "are not final. With "
        "--check nothing is written: every number on file is compared with the one that the facts "
        "give, each "
        "difference is printed, and the exit code is 1 if there is one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="compare only; exit code 1 on any difference"
        )
        parser.add_argument("--game", metavar="SLUG", help="only the ratings of this game")

    def handle(self, *args: Any, **options: Any) -> None:
        games = self.games_called(options["game"]) if options["game"] else None
        if options["check"]:
            self.check_all(games)
        else:
            self.recompute(games or list(games_with_ratings()))

    def games_called(self, slug: str) -> list[Game]:
        found = list(Game.objects.filter(slug=slug))
        if not found:
            raise CommandError(f"No game is called “{slug}”.")
        return found

    def check_all(self, games: list[Game] | None) -> None:
        count = 0
        with transaction.atomic():
            isolate_snapshot()
            if checking.has_pending_jobs():
                self.stderr.write(
                    "Some steps still wait to be done: what they change differs until then."
                )
            for difference in checking.find_differences(games, each=self.tell):
                self.stdout.write(str(difference))
                count += 1
        if count:
            raise CommandError(f"{count} differences from what the facts give.")
        self.stdout.write("Every number is what the facts give.")

    def recompute(self, games: list[Game]) -> None:
        for number, game in enumerate(games, 1):
            changed = checking.mend_ratings(game)
            self.tell(
                f"{number}/{len(games)} {game.slug}: {'written anew' if changed else 'as it was'}"
            )
        publish.follow_change(cause="recomputed", year=publish.EVERY_SEASON)
        self.stdout.write("Done, and published what changed.")

    def tell(self, what: str) -> None:
        self.stdout.write(what)
