"""Walks along the seals of the audit log."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pergioco.core import audit_seals
from pergioco.core.audit_log.models import AuditSeal


class Command(BaseCommand):
    help = (
        "Compares every sealed row of the audit log with its seal, and names the first that was "
        "changed, removed or added; the exit code is then 1. Keep the last line elsewhere, and "
        "give it back with --known: a log that was written anew from end to end has other seals."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--known", metavar="NUMBER:SHA256", help="a seal as an earlier run printed it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found = audit_seals.check_audit_log()
        if found.problem:
            raise CommandError(found.problem)
        if options["known"]:
            compare_known(options["known"])
        self.stdout.write(
            f"{found.rows} rows in {found.seals} seals hold; values of {found.emptied} were "
            f"destroyed by erasures; {found.waiting} rows wait for a seal."
        )
        if found.last:
            self.stdout.write(f"Last seal: {found.last.number}:{found.last.sha256}")


def compare_known(known: str) -> None:
    number, _colon, sha256 = known.partition(":")
    if not (number.isdecimal() and sha256):
        raise CommandError("Write --known as an earlier run printed it: number, colon, hash.")
    seal = AuditSeal.objects.filter(number=int(number)).first()
    if seal is None:
        raise CommandError(f"Seal {number} was removed.")
    if seal.sha256 != sha256:
        raise CommandError(f"Seal {number} is another one than you know.")
