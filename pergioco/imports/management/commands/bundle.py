"""Loads or dumps the whole federation as plain CSV files."""

from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q

from pergioco.core.models import Job
from pergioco.imports.bundle.cells import Undumpable
from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.imports.bundle.loading import load_bundle
from pergioco.imports.bundle.report import Progress, Report, problem_lines

PERSONAL = (
    "The bundle holds e-mail addresses and birth dates: keep it as you keep the database, "
    "and delete it after use."
)
WAITING = (
    "Some steps still wait to be run (manage.py run_worker): numbers may lag behind the results."
)
LOADED_BUT_DIFFERENT = 3  # the code with which the command ends


def a_day(text: str) -> date:
    return date.fromisoformat(text)


class Command(BaseCommand):
    help = (
        "Loads or dumps the whole federation: a folder of CSV files, or a zip of it. For the "
        "federation's staff."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True, metavar="load | dump")
        into = acts.add_parser(
            "load", help="check everything, write all of it or nothing, and compute"
        )
        into.add_argument("path", type=Path, help="a folder, or a zip of it")
        into.add_argument(
            "--dry-run", action="store_true", help="say what would happen, and write nothing"
        )
        out = acts.add_parser("dump", help="write the whole federation, facts and numbers")
        out.add_argument("path", type=Path, help="a new folder, or a new file that ends in .zip")
        out.add_argument(
            "--as-of", type=a_day, metavar="DATE", help="as the federation stood on that day"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["act"] == "load":
            self.load(options["path"], dry_run=options["dry_run"], progress=self.progress(options))
        else:
            self.dump(options["path"], options["as_of"], progress=self.progress(options))

    def progress(self, options: dict[str, Any]) -> Progress:
        bare: Any = self.stderr._out  # noqa: SLF001 - the wrapper would end each piece of the bar with a line end
        return Progress(bare if options["verbosity"] else None)

    def load(self, path: Path, *, dry_run: bool, progress: Progress) -> None:
        report = load_bundle(path, dry_run=dry_run, progress=progress)
        for note in report.notes:
            self.stdout.write(f"Note: {note}")
        for line in report.lines():
            self.stderr.write(line)
        if report.problems:
            raise CommandError(f"Nothing was written: {len(report.problems)} problems.")
        self.say(report, dry_run=dry_run)
        self.say_what_differs(report)

    def say(self, report: Report, *, dry_run: bool) -> None:
        for kind, (made, changed, removed) in report.written.items():
            self.stdout.write(f"{kind}: {made} made, {changed} changed, {removed} removed")
        if not report.written:
            self.stdout.write("The portal holds all of it already: nothing was written.")
        elif dry_run:
            self.stdout.write("This was a trial: nothing was written.")

    def say_what_differs(self, report: Report) -> None:
        for line in problem_lines(report.differences):
            self.stderr.write(line)
        if report.differences:
            sentence = (
                f"Other numbers are computed here than the bundle tells: "
                f"{len(report.differences)} differences."
            )
            raise CommandError(sentence, returncode=LOADED_BUT_DIFFERENT)

    def dump(self, path: Path, as_of: date | None, *, progress: Progress) -> None:
        try:
            written = dump_bundle(path, as_of=as_of, progress=progress)
        except (Undumpable, OSError) as refused:
            raise CommandError(str(refused)) from refused
        for name, rows in written.items():
            self.stdout.write(f"{name}: {rows} rows")
        self.stderr.write(PERSONAL)
        if Job.objects.not_done().filter(Q(kind="publish") | Q(kind__startswith="pgr.")).exists():
            self.stderr.write(WAITING)
