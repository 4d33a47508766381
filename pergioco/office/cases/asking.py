"""A complaint or a question arrives: one row, one receipt, however often the form is sent."""

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.office.cases import links
from pergioco.office.models import Case
from pergioco.office.rules.complaints import may_be_written_in
from pergioco.office.rules.due import answer_due_on
from pergioco.players import audit
from pergioco.players.letters import write_at
from pergioco.players.models import User
from pergioco.players.refusal import Refused


@dataclass(frozen=True)
class Sent:
    """What came from the form. The same submission is one case."""

    kind: str
    office: str
    page: str
    name: str
    email: str
    language: str
    text: str
    submission: UUID


def send(sent: Sent, *, by: User | None) -> Case:
    try:
        with transaction.atomic():
            return write(sent, by=by)
    except IntegrityError:  # twice at the same moment
        return Case.objects.get(submission=sent.submission)


def write(sent: Sent, *, by: User | None) -> Case:
    there = Case.objects.filter(submission=sent.submission).first()
    if there is not None:
        return there
    if sent.kind == Case.Kind.COMPLAINT and not may_be_written_in(sent.language):
        raise Refused(_("Complaints are written in Italian or in English (PGM 16)."), "language")
    case = Case(**vars(sent), due_on=answer_due_on(timezone.localdate()), sent_by=by)
    case.email = case.email.lower()
    case.save()
    # The log knows that it came; who wrote, and what, stands in the row, which is emptied in time.
    audit.record("case.sent", case, by=by, role="" if by else audit.BY_LINK, changes={"state": ["", case.state]})
    tell(case, "case_received")
    return case


def tell(case: Case, letter: str) -> None:
    """In the language in which it was written."""
    write_at(case.email, case.language, letter, case=case, link=lambda: links.link_of(case))
