"""Proposes the purge (PGM 28); a second person confirms it at the desk."""

from pergioco.publishing.proposing import ProposeCommand
from ratings import purging
from ratings.models import Purge


class Command(ProposeCommand):
    help = (
        "Lists whose ratings the purge of 1 January YEAR concerns, and proposes it in the name of "
        "the system. Whoever can type this is one person; the second one confirms at the desk "
        "(/staff/purge/YEAR/), with a password, and thirty days later the rows are destroyed: "
        "a command never destroys anything. "
        "Exit codes: 0 proposed, or could be (--dry-run); 1 refused; "
        "2 nothing to do: proposed already, or it concerns nobody."
    )

    help_of_dry_run = "only list whom it would concern"
    page = "purge"

    def show(self, year: int) -> None:
        purging.refuse_before_the_freeze(year)
        if Purge.objects.filter(year=year).exists():
            self.end_without_work(f"The purge of 1 January {year} is proposed already.")
        found = purging.list_purge(year)
        for one in found:
            self.stdout.write(
                f"{one.player.public_id}: {one.games} games, the last on {one.last_on or 'unknown'}"
            )
        if not found:
            self.end_without_work(f"The purge of 1 January {year} concerns nobody.")

    def propose(self, year: int) -> None:
        purging.propose_purge(year, by=None)
