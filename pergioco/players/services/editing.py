"""Players edit their own data. A change of verified data reopens the review."""

import json
from collections.abc import Mapping
from copy import copy
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import Person, Registration
from pergioco.players.rules.people import may_register

FIELDS = ("first_name", "last_name", "birth_date", "city", "country", "phone")
ON_THE_DOCUMENT = ("first_name", "last_name", "birth_date")
State = Registration.State
CHANGED_MEANWHILE = _(
    "Your data changed while you were writing. Both versions are below: save again what is right."
)


def registration_of(person: Person) -> Registration | None:
    return getattr(person.player, "registration", None)


def person_version(person: Person) -> str:
    """A hash that changes with the values and with each decision of staff. Forms carry it."""
    registration = registration_of(person)
    values = [str(getattr(person, name) or "") for name in FIELDS]
    state = [registration.version, registration.state] if registration else []
    return sha256(json.dumps([values, state]).encode()).hexdigest()[:20]


def would_reopen_review(person: Person) -> bool:
    registration = registration_of(person)
    return registration is not None and registration.state == State.VERIFIED


@transaction.atomic
def edit_person(
    person: Person, values: Mapping[str, Any], *, version: str, by: User
) -> dict[str, list[str]]:
    """Writes the values unless the row changed since `version`. Returns the changes."""
    row = lock_row(person, "player__registration")
    if person_version(row) != version:
        raise Outdated(CHANGED_MEANWHILE)
    before = copy(row)
    for name in FIELDS:
        setattr(row, name, values[name])
    refuse_too_young(row)
    changes = audit.text_changes(before, row, *FIELDS)
    if not changes.keys().isdisjoint(ON_THE_DOCUMENT):
        row.identity_checked_on = None
    row.save()
    if changes:
        old, new = (audit.field_values(one, changes) for one in (before, row))
        audit.record(
            "person.edited", row, by=by, player=row.player, changes=changes, before=old, after=new
        )
    reopen_review(row, changes, by=by)
    return changes


def refuse_too_young(person: Person) -> None:
    registration = registration_of(person)
    if registration is None or person.birth_date is None:
        return
    if not may_register(birth_date=person.birth_date, today=registration.registered_on):
        raise Refused(
            _("With this birth date you were not yet 16 on the day of your registration (PGM 3)."),
            "birth_date",
        )


def reopen_review(person: Person, changes: Mapping[str, Any], *, by: User) -> None:
    registration = registration_of(person)
    if registration is None:
        return
    # Saving answers a correction. A new verified name or birth date must be verified again.
    before = registration.state
    answered = before == State.NEEDS_CORRECTION
    reopened = before == State.VERIFIED and not changes.keys().isdisjoint(ON_THE_DOCUMENT)
    if not (changes or answered):
        return
    after = {"state": State.NEW, "messages": {}} if answered or reopened else {}
    unchanged = Registration.objects.filter(pk=registration.pk, version=registration.version)
    if not unchanged.update(
        version=F("version") + 1, **after
    ):  # staff decided while this was being written
        raise Outdated(CHANGED_MEANWHILE)
    registration.refresh_from_db()
    if registration.state != before:
        action = "registration.answered" if answered else "registration.reopened"
        states = {"state": [before, registration.state]}
        audit.record(action, registration, by=by, player=person.player, changes=states)
