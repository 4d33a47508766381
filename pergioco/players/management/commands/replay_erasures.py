"""Run after every restore of a backup, before the portal goes online again."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pergioco.players.services.erasing import read_journal, replay_erasures


class Command(BaseCommand):
    help = (
        "Erases again those who were erased after the backup was made. Run twice, it changes "
        "nothing more."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--file", type=Path, default=settings.ERASURE_JOURNAL, help="the journal of erasures"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["file"].exists():
            raise CommandError(
                f"There is no file {options['file']}: nobody was ever erased, or it got lost."
            )
        entries = list(read_journal(options["file"]))
        self.stdout.write(
            f"{len(entries)} in the journal, {replay_erasures(entries)} erased again."
        )
