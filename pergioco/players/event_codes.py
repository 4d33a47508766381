"""Codes that let a hall full of people register from one address."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from pergioco.players import audit
from pergioco.players.fields import random_id
from pergioco.players.models import EventCode, User
from pergioco.players.policy import Role, has_role
from pergioco.players.refusal import Refused

# A code lifts a limit against abuse: it is for one event, not for ever.
LONGEST = timedelta(days=31)
MOST_USES = 500


def managed_by(user: User) -> QuerySet[EventCode]:
    """Staff look after every code, organizers after those that they made."""
    codes = EventCode.objects.order_by("-valid_to", "-id")
    return codes if has_role(user, Role.STAFF) else codes.filter(created_by=user)


@transaction.atomic
def make(*, note: str, valid_from: datetime, valid_to: datetime, uses: int, by: User) -> EventCode:
    if valid_to <= valid_from:
        raise Refused(_("It ends before it begins."), "valid_to")
    if valid_to - valid_from > LONGEST:
        raise Refused(_("A code is for one event: at most %(days)s days.") % {"days": LONGEST.days}, "valid_to")
    code = EventCode.objects.create(
        code=random_id(8), note=note, valid_from=valid_from, valid_to=valid_to, uses_left=uses, created_by=by
    )
    changes = {"valid_from": ["", str(valid_from)], "valid_to": ["", str(valid_to)], "uses_left": ["", str(uses)]}
    audit.record("event_code.made", code, by=by, changes=changes)
    return code


@transaction.atomic
def close(code: EventCode, *, by: User) -> None:
    """Nobody uses it any more, from now on. Closing it twice changes nothing."""
    row = EventCode.objects.select_for_update().get(pk=code.pk)
    if row.uses_left == 0:
        return
    EventCode.objects.filter(pk=row.pk).update(uses_left=0)
    audit.record("event_code.closed", row, by=by, changes={"uses_left": [str(row.uses_left), "0"]})
