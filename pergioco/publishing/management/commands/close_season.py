"""Proposes to make a season final; a second person confirms it at the desk."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from pergioco.core.refusal import Refused
from pergioco.publishing.models import Freeze
from pergioco.publishing.services import freezing
from pergioco.stages.models import Season

NOTHING_TO_DO = 2


class Command(BaseCommand):
    help = (
        "Proposes to make the rankings of a season final, in the name of the system. "
        "A second person must confirm at the desk (/staff/year-end/YEAR/) with a password: "
        "the command itself never freezes anything. "
        "Exit codes: 0 proposed, or could be (--dry-run); 1 refused; "
        "2 nothing to do: proposed or final already."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("year", type=int)
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be frozen now, and write nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        season = Season.objects.filter(year=options["year"]).first()
        if season is None:
            raise CommandError(f"There is no season {options['year']}.")
        row = Freeze.objects.filter(season=season).first()
        if row is not None:
            state = (
                f"final, SHA-256 {row.sha256}"
                if row.frozen_at
                else "proposed: it waits for a second person"
            )
            raise CommandError(f"{season.year} is {state}.", returncode=NOTHING_TO_DO)
        try:
            self.try_it(season, dry_run=options["dry_run"])
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal

    def try_it(self, season: Season, *, dry_run: bool) -> None:
        freezing.refuse_unless_it_can_be_final(season, today=timezone.localdate())
        self.tell(season)
        if dry_run:
            self.stdout.write("This was a trial: nothing was written.")
            return
        freezing.propose_freeze(season, by=None)
        self.stdout.write(
            f"Proposed. A second person confirms it at /staff/year-end/{season.year}/."
        )

    def tell(self, season: Season) -> None:
        left, document = freezing.list_unfinished(season), freezing.draft_document(season)
        for stage in left.stages:
            self.stdout.write(f"not closed: {stage.slug}")
        for revision in left.corrections:
            self.stdout.write(f"correction still open: {revision.stage.slug}")
        self.stdout.write(
            f"{freezing.count_places(document)} places, SHA-256 {freezing.hash_document(document)}"
        )
