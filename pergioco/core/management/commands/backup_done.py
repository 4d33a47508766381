"""Called by the backup after it has succeeded: `/readyz` and `/metrics` tell how old it is."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pergioco.core import last_runs


class Command(BaseCommand):
    help = "Notes that a backup was made now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", help="the backup, if this machine can see it: refused when empty"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"]
        if file and not (Path(file).is_file() and Path(file).stat().st_size):
            raise CommandError(f"{file} is no backup: it is missing or empty. Nothing was noted.")
        last_runs.note(last_runs.BACKUP)
        self.stdout.write("The backup is noted.")
