"""Sends a convocation mail of a national final from the command line."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from big_league.models import Final
from big_league.services import convocations
from pergioco.core.models import User
from pergioco.core.policy import Role, may_enter
from pergioco.core.refusal import Refused

NOTHING_TO_DO = 2


class Command(BaseCommand):
    help = (
        "Sends the first mail of a national final, which freezes the ranking, or the second one, "
        "which opens "
        "the seats. A repeated call sends nothing, and no player gets the same mail twice. Exit "
        "codes: "
        "0 sent, or could be (--dry-run); 1 refused; 2 nothing to do, because it was sent before."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("final", help="the short name of its stage")
        parser.add_argument(
            "--mail",
            type=int,
            required=True,
            choices=sorted(convocations.MAIL_SENDERS),
            help="which of the two",
        )
        parser.add_argument(
            "--by", default="", metavar="E-MAIL", help="who of the staff answers for it"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say how many would get it, and send nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        final = (
            Final.objects.select_related("stage__game").filter(stage__slug=options["final"]).first()
        )
        if final is None:
            raise CommandError(f"There is no national final called {options['final']}.")
        if convocations.is_mail_sent(final, options["mail"]):
            raise CommandError("This mail was sent before.", returncode=NOTHING_TO_DO)
        try:
            self.act(final, options)
        except Refused as refusal:
            raise CommandError(str(refusal.sentence)) from refusal

    def act(self, final: Final, options: dict[str, Any]) -> None:
        if options["mail"] != convocations.next_mail_due(final):
            raise CommandError("The first mail comes before the second one.")
        if options["dry_run"]:
            self.stdout.write(
                f"{convocations.count_recipients(final, options['mail'])} people would get it. "
                f"Nothing was sent."
            )
            return
        convocations.send_mail_due(
            final, options["mail"], version=final.version, by=staff_user(options["by"])
        )
        mails = final.mails.filter(mail=options["mail"])
        self.stdout.write(f"{mails.filter(is_sent=True).count()} mails are on their way.")
        for one in mails.filter(is_sent=False).select_related("player"):
            self.stdout.write(f"no address: {one.player.public_id}")


def staff_user(address: str) -> User:
    found = User.objects.filter(email__iexact=address).first()
    if found is None or not may_enter(found, Role.STAFF):
        raise CommandError("Say with --by who of the staff answers for this.")
    return found
