"""Imports results of a stage from a file, with the preview and the questions of the page."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.imports import labels
from pergioco.imports.canonical import Note, Unreadable
from pergioco.imports.forms import DecisionsForm
from pergioco.imports.lineup import BY_SCORE, ONE_GAME
from pergioco.imports.matching import Decision
from pergioco.imports.people import NEW, Who
from pergioco.imports.preview import Preview, make_preview
from pergioco.imports.preview_values import get_preview_values
from pergioco.imports.services import source_files
from pergioco.imports.services.applying import apply_preview
from pergioco.imports.services.source_files import Content
from pergioco.imports.sources import SOURCES
from pergioco.stages.models import SourceFile, Stage

OPEN_QUESTIONS = 2


class Command(BaseCommand):
    help = (
        "Reads results of a stage from a file. Exit codes: 0 done, 1 refused, 2 questions are open."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("stage", help="its number or its short name")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--reader",
            default="",
            choices=["", *SOURCES],
            help="what the file is, if not as it looks",
        )
        parser.add_argument("--dry-run", action="store_true", help="only show what would be done")
        parser.add_argument(
            "--by", default="", metavar="E-MAIL", help="who answers for it; needed to write"
        )
        parser.add_argument(
            "--new", action="store_true", help="unknown nicknames are people who are not registered"
        )
        parser.add_argument(
            "--guesses", action="store_true", help="accept each nickname that somebody declared"
        )
        parser.add_argument(
            "--as-shown", action="store_true", help="absences are as the source says"
        )
        parser.add_argument(
            "--matches", default="", choices=["", ONE_GAME, BY_SCORE], help="what counts of a match"
        )
        parser.add_argument(
            "--rounds-ok", action="store_true", help="the proposed rounds are right"
        )
        parser.add_argument(
            "--points-ok", action="store_true", help="points that differ were looked at"
        )
        parser.add_argument("--reason", default="", help="why closed results change")

    def handle(self, *args: Any, **options: Any) -> None:
        stage = find_stage(options["stage"])
        by = None if options["dry_run"] else find_organizer(options["by"], stage)
        source = self.source(stage, options, by)
        preview = make_preview(source)
        if isinstance(preview, Note):
            raise CommandError(labels.note_sentence(preview))
        form = DecisionsForm(preview, collect_answers(preview, options))
        is_answered = form.is_valid()
        self.tell(get_preview_values(preview, form))
        if preview.troubles:
            raise CommandError("Put this right first; nothing was written.")
        if not is_answered:
            raise CommandError(list_questions(form), returncode=OPEN_QUESTIONS)
        if by is not None:
            self.write(preview, form, by)

    def source(self, stage: Stage, options: dict[str, Any], by: User | None) -> SourceFile:
        path: Path = options["file"]
        try:
            content = Content(path.read_bytes(), path.name, options["reader"])
            reader = source_files.choose_reader(stage, content)
        except OSError as missing:
            raise CommandError(f"{path}: {missing.strerror}") from missing
        except Unreadable as refused:
            raise CommandError(labels.note_sentence(refused.note)) from refused
        if by is None:
            return SourceFile(stage=stage, name=path.name, raw=content.raw, reader=reader)
        return source_files.store_source(stage, content, reader, by=by)

    def tell(self, shown: dict[str, Any]) -> None:
        self.stdout.write(f"{shown['source'].name}: {shown['read_as']}")
        self.stdout.write(", ".join(f"{name} {number}" for name, number in shown["counts"].items()))
        for sentence, _original in (*shown["troubles"], *shown["remarks"]):
            self.stdout.write(f"- {sentence}")
        for kind, rows in shown["moved"] if shown["has_results"] else ():
            self.stdout.write(f"{kind}: {len(rows)}")

    def write(self, preview: Preview, form: DecisionsForm, by: User) -> None:
        try:
            draft = apply_preview(preview, form.confirmed, by=by)
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal
        self.stdout.write(f"draft {draft.number}" if draft else "nothing changed")


def find_organizer(email: str, stage: Stage) -> User:
    found = User.objects.filter(email__iexact=email).first()
    if found is None or not Stage.objects.managed_by(found).filter(pk=stage.pk).exists():
        raise CommandError(
            "Say with --by which organizer of the stage, or who of the staff, answers for this."
        )
    return found


def find_stage(name: str) -> Stage:
    wanted = Q(slug=name) | (Q(pk=int(name)) if name.isdecimal() else Q())
    found = (
        Stage.objects.filter(wanted, circuit=Stage.Circuit.PGM)
        .select_related("game", "season")
        .first()
    )
    if found is None:
        raise CommandError(f"There is no PerGioco stage called {name}.")
    return found


def collect_answers(preview: Preview, options: dict[str, Any]) -> dict[str, Any]:
    form = DecisionsForm(preview)
    answers = {name: form.initial.get(name, "") for name in form.fields}
    for who in preview.people:
        if who.settled is None and not answers[who.field]:
            answers[who.field] = answer_about(who, options)
    asked = {"as_shown", "rounds_ok", "points_ok", "matches", "reason"} & form.fields.keys()
    return answers | {name: options[name] for name in asked}


def answer_about(who: Who, options: dict[str, Any]) -> str:
    # A similar name is no guess: only a person may accept it.
    if who.decision == Decision.CONFIRM and options["guesses"]:
        return f"p{who.candidates[0].player}"
    return NEW if not who.candidates and options["new"] else ""


def list_questions(form: DecisionsForm) -> str:
    lines = [
        f"- {form.fields[name].label}: {' '.join(map(str, found))}"
        for name, found in form.errors.items()
    ]
    return "\n".join(["These questions are open; nothing was written:", *lines])
