"""Proposes to make a season final; a second person confirms it at the desk."""

from django.core.management.base import CommandError
from django.utils import timezone

from pergioco.publishing.models import Freeze
from pergioco.publishing.proposing import ProposeCommand
from pergioco.publishing.services import freezing
from pergioco.stages.models import Season


class Command(ProposeCommand):
    help = (
        "Proposes to make the rankings of a season final, in the name of the system. "
        "A second person must confirm at the desk (/staff/year-end/YEAR/) with a password: "
        "the command itself never freezes anything. "
        "Exit codes: 0 proposed, or could be (--dry-run); 1 refused; "
        "2 nothing to do: proposed or final already."
    )
    help_of_dry_run = "say what would be frozen now, and write nothing"
    page = "year-end"

    def show(self, year: int) -> None:
        season = self.find_season(year)
        row = Freeze.objects.filter(season=season).first()
        if row is not None and row.frozen_at:
            self.end_without_work(f"{year} is final, SHA-256 {row.sha256}.")
        if row is not None:
            self.end_without_work(f"{year} is proposed: it waits for a second person.")
        freezing.refuse_unless_it_can_be_final(season, today=timezone.localdate())
        left, document = freezing.list_unfinished(season), freezing.draft_document(season)
        for stage in left.stages:
            self.stdout.write(f"not closed: {stage.slug}")
        for revision in left.corrections:
            self.stdout.write(f"correction still open: {revision.stage.slug}")
        self.stdout.write(
            f"{freezing.count_places(document)} places, SHA-256 {freezing.hash_document(document)}"
        )

    def propose(self, year: int) -> None:
        freezing.propose_freeze(self.find_season(year), by=None)

    def find_season(self, year: int) -> Season:
        season = Season.objects.filter(year=year).first()
        if season is None:
            raise CommandError(f"There is no season {year}.")
        return season
