"""Proposes the purge (PGM 28); a second person confirms it at the desk."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pergioco.core.refusal import Refused
from ratings import purging
from ratings.models import Purge

NOTHING_TO_DO = 2
TRIAL = "This was a trial: nothing was written."


class Command(BaseCommand):
    help = (
        "Lists whose ratings the purge of 1 January YEAR concerns, and proposes it in the name of "
        "the system. Whoever "
        "can type this is one person; the second one confirms at the desk (/staff/purge/YEAR/), "
        "with a password, and "
        "thirty days later the rows are destroyed: a command never destroys anything. Exit codes: "
        "0 proposed, or could "
        "be (--dry-run); 1 refused; 2 nothing to do: proposed already, or it concerns nobody."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("year", type=int)
        parser.add_argument(
            "--dry-run", action="store_true", help="only list whom it would concern"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        year = options["year"]
        try:
            purging.refuse_before_the_freeze(year)
            self.stop_if_there_is_nothing_to_do(year)
            self.stdout.write(TRIAL if options["dry_run"] else self.propose(year))
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal

    def propose(self, year: int) -> str:
        purging.propose_purge(year, by=None)
        return f"Proposed. A second person confirms it at /staff/purge/{year}/."

    def stop_if_there_is_nothing_to_do(self, year: int) -> None:
        if Purge.objects.filter(year=year).exists():
            raise CommandError(
                f"The purge of 1 January {year} is proposed already.", returncode=NOTHING_TO_DO
            )
        found = purging.list_purge(year)
        for one in found:
            self.stdout.write(
                f"{one.player.public_id}: {one.games} games, the last on {one.last_on or 'unknown'}"
            )
        if not found:
            raise CommandError(
                f"The purge of 1 January {year} concerns nobody.", returncode=NOTHING_TO_DO
            )
