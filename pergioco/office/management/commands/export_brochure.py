"""Writes the brochure of a season to a file, with the functions of the page."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pergioco.office.brochures import registry, typesetting
from pergioco.office.models import Brochure
from pergioco.rulekit.printed import Printed

NOTHING_TO_PRINT = 2


class Command(BaseCommand):
    help = (
        "Writes the brochure of a season, or of one ranking, as PDF. Nothing of it is stored in "
        "the portal. Exit "
        "codes: 0 written, or could be (--dry-run); 1 refused; 2 nothing of it is published."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("year", type=int)
        parser.add_argument("path", type=Path, help="a new file that ends in .pdf")
        parser.add_argument(
            "--language", choices=[code for code, _name in settings.LANGUAGES], default="it"
        )
        parser.add_argument(
            "--ranking", default="", help="that ranking alone: red, blue, green, race, game:go, …"
        )
        parser.add_argument(
            "--sections", nargs="+", choices=[key for key, _name in registry.list_sections()]
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be printed, and write nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        if path.exists():
            raise CommandError(f"{path} exists already. Name a new file.")
        printed = self.read(options)
        if printed is None:
            raise CommandError(
                f"Nothing of {options['year']} is published.", returncode=NOTHING_TO_PRINT
            )
        self.stdout.write(f"{printed.data['stamp']}; people left out: {printed.left_out}")
        if options["dry_run"]:
            self.stdout.write("This was a trial: nothing was written.")
            return
        try:
            path.write_bytes(typesetting.set_pdf(printed.template, printed.data))
        except (OSError, typesetting.CannotBeSet) as trouble:
            raise CommandError(f"It could not be written: {type(trouble).__name__}.") from trouble
        self.stdout.write(f"Written: {path}")

    def read(self, options: dict[str, Any]) -> Printed | None:
        kind = Brochure.Kind.RANKING if options["ranking"] else Brochure.Kind.SEASON
        sections = options["sections"] or [key for key, _name in registry.list_sections()]
        return registry.read_paper(
            kind,
            options["language"],
            year=options["year"],
            about=options["ranking"],
            sections=sections,
        )
