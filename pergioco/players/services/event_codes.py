"""Codes that let many people at an event register from one address."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.fields import random_id
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.core.refusal import Refused
from pergioco.players.models import EventCode

# A code lifts a limit against abuse, so it is valid for one event only.
LONGEST_VALIDITY = timedelta(days=31)
MOST_USES = 500


def event_codes_managed_by(user: User) -> QuerySet[EventCode]:
    # Staff manage every code, organizers only their own.
    codes = EventCode.objects.order_by("-valid_to", "-id")
    return codes if has_role(user, Role.STAFF) else codes.filter(created_by=user)


@transaction.atomic
def make_event_code(
    *, note: str, valid_from: datetime, valid_to: datetime, uses: int, by: User
) -> EventCode:
    if valid_to <= valid_from:
        raise Refused(_("It ends before it begins."), "valid_to")
    if valid_to - valid_from > LONGEST_VALIDITY:
        raise Refused(
            _("A code is for one event: at most %(days)s days.") % {"days": LONGEST_VALIDITY.days},
            "valid_to",
        )
    code = EventCode.objects.create(
        code=random_id(8),
        note=note,
        valid_from=valid_from,
        valid_to=valid_to,
        uses_left=uses,
        created_by=by,
    )
    changes = {
        "valid_from": ["", str(valid_from)],
        "valid_to": ["", str(valid_to)],
        "uses_left": ["", str(uses)],
    }
    audit.record("event_code.made", code, by=by, changes=changes)
    return code


@transaction.atomic
def close_event_code(code: EventCode, *, by: User) -> None:
    row = lock_row(code)
    if row.uses_left == 0:
        return
    EventCode.objects.filter(pk=row.pk).update(uses_left=0)
    audit.record("event_code.closed", row, by=by, changes={"uses_left": [str(row.uses_left), "0"]})
