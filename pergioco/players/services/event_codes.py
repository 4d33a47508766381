"""Codes that let many people at an event register from one address."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.core import audit, limits
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
        raise Refused(
            _("It ends before it begins."), "valid_to", rule="event_codes.make_event_code"
        )
    if valid_to - valid_from > LONGEST_VALIDITY:
        raise Refused(
            _("A code is for one event: at most %(days)s days.") % {"days": LONGEST_VALIDITY.days},
            "valid_to",
            rule="event_codes.make_event_code",
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


def find_hall(connection: str) -> EventCode | None:
    """The code that holds the connection."""
    number = limits.find_hall(connection)
    return None if number is None else EventCode.objects.filter(pk=number).first()


@transaction.atomic
def open_hall(event: str, connection: str, *, by: User) -> EventCode:
    """A code that need not be typed: until midnight it holds the connection that a hall shares."""
    there = find_hall(connection)
    if there is not None:
        return there
    now = timezone.localtime()
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    code = EventCode.objects.create(
        code=random_id(8),
        note=event,
        valid_from=now,
        valid_to=midnight,
        uses_left=MOST_USES,
        created_by=by,
    )
    limits.open_hall(connection, code.pk, midnight.timestamp())
    changes = {"valid_from": ["", str(now)], "valid_to": ["", str(midnight)]}
    audit.record("event_code.hall_opened", code, by=by, changes=changes)
    return code


@transaction.atomic
def close_event_code(code: EventCode, *, by: User) -> None:
    row = lock_row(code)
    limits.close_halls(row.pk)
    if row.uses_left == 0:
        return
    EventCode.objects.filter(pk=row.pk).update(uses_left=0)
    audit.record("event_code.closed", row, by=by, changes={"uses_left": [str(row.uses_left), "0"]})
