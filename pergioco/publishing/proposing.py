"""Commands that propose what a second person confirms at the desk."""

from abc import abstractmethod
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pergioco.core.refusal import Refused

NOTHING_TO_DO = 2  # exit code


class ProposeCommand(BaseCommand):
    page: str  # of the desk, where the second person confirms
    help_of_dry_run: str

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("year", type=int)
        parser.add_argument("--dry-run", action="store_true", help=self.help_of_dry_run)

    def handle(self, *args: Any, **options: Any) -> None:
        year = options["year"]
        try:
            self.show(year)
            if options["dry_run"]:
                self.stdout.write("This was a trial: nothing was written.")
                return
            self.propose(year)
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal
        self.stdout.write(f"Proposed. A second person confirms it at /staff/{self.page}/{year}/.")

    @abstractmethod
    def show(self, year: int) -> None:
        """Writes what would be proposed, or says why nothing can be."""

    @abstractmethod
    def propose(self, year: int) -> None: ...

    def end_without_work(self, sentence: str) -> NoReturn:
        raise CommandError(sentence, returncode=NOTHING_TO_DO)
