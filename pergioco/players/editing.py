"""Players mend their own data; what was verified before is looked at again."""

import json
from collections.abc import Mapping
from copy import copy
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import Person, Registration, User
from pergioco.players.refusal import Outdated, Refused
from pergioco.players.rules.age import may_register

FIELDS = ("first_name", "last_name", "birth_date", "city", "country", "phone")
ON_THE_DOCUMENT = ("first_name", "last_name", "birth_date")
State = Registration.State
CHANGED_MEANWHILE = _("Your data changed while you were writing. Both versions are below: save again what is right.")


def registration_of(person: Person) -> Registration | None:
    return getattr(person.player, "registration", None)


def version_of(person: Person) -> str:
    """Changes with any of the values and with every decision of staff: what a form was filled in against."""
    registration = registration_of(person)
    values = [str(getattr(person, name) or "") for name in FIELDS]
    state = [registration.version, registration.state] if registration else []
    return sha256(json.dumps([values, state]).encode()).hexdigest()[:20]


def would_reopen_review(person: Person) -> bool:
    """A change of what stands on the identity document would have to be verified again."""
    registration = registration_of(person)
    return registration is not None and registration.state == State.VERIFIED


@transaction.atomic
def edit(person: Person, values: Mapping[str, Any], *, version: str, by: User) -> dict[str, list[str]]:
    """Writes the values if nobody changed the row in the meantime. Returns what changed."""
    row = Person.objects.select_for_update(of=("self",)).select_related("player__registration").get(pk=person.pk)
    if version_of(row) != version:
        raise Outdated(CHANGED_MEANWHILE)
    before = copy(row)
    for name in FIELDS:
        setattr(row, name, values[name])
    refuse_too_young(row)
    changes = audit.difference(before, row, *FIELDS)
    if not changes.keys().isdisjoint(ON_THE_DOCUMENT):
        row.identity_checked_on = None
    row.save()
    if changes:
        audit.record("person.edited", row, by=by, player=row.player, changes=changes)
    back_to_review(row, changes, by=by)
    return changes


def refuse_too_young(person: Person) -> None:
    registration = registration_of(person)
    if registration is None or person.birth_date is None:
        return
    if not may_register(birth_date=person.birth_date, today=registration.registered_on):
        raise Refused(
            _("With this birth date you were not yet 16 on the day of your registration (PGM 3)."), "birth_date"
        )


def back_to_review(person: Person, changes: Mapping[str, Any], *, by: User) -> None:
    """Saving answers a correction that staff asked for; changing a verified name or birth date asks them again."""
    registration = registration_of(person)
    if registration is None:
        return
    before = registration.state
    answered = before == State.NEEDS_CORRECTION
    reopened = before == State.VERIFIED and not changes.keys().isdisjoint(ON_THE_DOCUMENT)
    if not (changes or answered):
        return
    after = {"state": State.NEW, "messages": {}} if answered or reopened else {}
    unchanged = Registration.objects.filter(pk=registration.pk, version=registration.version)
    if not unchanged.update(version=F("version") + 1, **after):  # staff decided while this was being written
        raise Outdated(CHANGED_MEANWHILE)
    registration.refresh_from_db()
    if registration.state != before:
        action = "registration.answered" if answered else "registration.reopened"
        states = {"state": [before, registration.state]}
        audit.record(action, registration, by=by, player=person.player, changes=states)
