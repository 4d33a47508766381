"""Draws the tables of a Master from the command line."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.stages.models import Stage
from pergioco.stages.services.drafting import find_draft
from risiko_master.draft_facts import draw_document
from risiko_master.models import Commitment
from risiko_master.services import drawing
from risiko_master.services.planning import all_masters


class Command(BaseCommand):
    help = (
        "Draws the tables of a game of a Master. First --commit publishes the hash of a seed; the "
        "same command without "
        "it reveals the seed and seats everybody. Exit codes: 0 done, 1 refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--stage", required=True, help="its short name")
        parser.add_argument(
            "--draw", type=int, default=1, choices=Commitment.Number.values, help="which game"
        )
        parser.add_argument(
            "--commit", action="store_true", help="publish the hash of a seed, and draw nothing yet"
        )
        parser.add_argument(
            "--seed", default="", help="with --commit or --dry-run: this seed; else the machine's"
        )
        parser.add_argument("--reason", default="", help="with --commit: why it is drawn again")
        parser.add_argument(
            "--by", default="", metavar="E-MAIL", help="who answers for it; needed to write"
        )
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="show what this seed would draw, and write nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        stage = all_masters().filter(slug=options["stage"]).first()
        if stage is None:
            raise CommandError(f"There is no RisiKo! Master called {options['stage']}.")
        try:
            self.act(stage, options)
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal

    def act(self, stage: Stage, options: dict[str, Any]) -> None:
        number = options["draw"]
        if options["dry_run"]:
            self.tell(
                drawing.draw_and_check(
                    draw_document(stage, number, find_draft(stage), ()),
                    required_seed(options["seed"]),
                ).result
            )
        elif options["commit"]:
            made = drawing.commit_seed(
                stage,
                number,
                by=responsible_user(options),
                reason=options["reason"],
                seed=options["seed"],
            )
            self.stdout.write(f"SHA-256 of the seed: {made.seed_sha256}")
        else:
            if options["seed"]:
                raise CommandError(
                    "The seed of a draw is chosen with --commit, before anything is drawn."
                )
            self.tell(drawing.draw_game(stage, number, by=responsible_user(options)).result)

    def tell(self, result: str) -> None:
        drawn = json.loads(result)
        for number, table in enumerate(drawn["tables"], 1):
            self.stdout.write(f"{number}: {' '.join(table)}")
        for measure in drawn["measures"]:
            self.stdout.write(f"{measure['code']}: {measure['cost']}, at least {measure['bound']}")
        self.stdout.write(f"proof: {drawn['proof']}")


def required_seed(seed: str) -> str:
    if not seed:
        raise CommandError("Say with --seed which seed to try.")
    return seed


def responsible_user(options: dict[str, Any]) -> User:
    found = User.objects.filter(email__iexact=options["by"]).first()
    if found is None:
        raise CommandError("Say with --by which director, or who of the staff, answers for this.")
    return found
