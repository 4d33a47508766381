"""Players mend their own data."""

from datetime import date

import pytest
from django.db import transaction

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import Person, Registration
from pergioco.players.services import editing
from pergioco.players.services.editing import (
    CHANGED_MEANWHILE,
    FIELDS,
    edit_person,
    person_version,
    would_reopen_review,
)
from tests import factories

pytestmark = pytest.mark.django_db


def values_of(person, **changed):
    return {name: getattr(person, name) for name in FIELDS} | changed


def save(person, **changed):
    return edit_person(
        person, values_of(person, **changed), version=person_version(person), by=person.user
    )


def test_a_change_is_written_and_the_log_says_before_and_after(clock):
    person = factories.registered(phone="333").person
    assert save(person, city="Cuneo") == {"city": ["Torino", "Cuneo"]}
    entry = AuditEntry.objects.get(action="person.edited")
    assert (entry.actor, entry.role, entry.player) == (person.user, "player", person.player)
    assert entry.changes == {"city": ["Torino", "Cuneo"]}
    assert Person.objects.get().city == "Cuneo"


def test_the_search_finds_the_new_name(clock):
    person = factories.registered().person
    save(person, last_name="Żółć")
    assert Person.objects.get().search_key == "marta zolc"


def test_saving_the_same_again_writes_no_log_and_no_new_version(clock):
    person = factories.registered().person
    assert save(person) == {}
    assert AuditEntry.objects.count() == 0
    assert person_version(Person.objects.get()) == person_version(person)


def test_of_two_browsers_the_loser_is_told_and_nothing_is_overwritten(clock):
    person = factories.registered().person
    seen_by_both = person_version(person)
    edit_person(person, values_of(person, city="Cuneo"), version=seen_by_both, by=person.user)
    with pytest.raises(Outdated):
        edit_person(person, values_of(person, city="Asti"), version=seen_by_both, by=person.user)
    assert Person.objects.get().city == "Cuneo"
    assert AuditEntry.objects.count() == 1


def test_a_decision_of_staff_in_the_meantime_counts_as_a_change(clock):
    person = factories.registered().person
    seen = person_version(person)
    registration = person.player.registration
    registration.state, registration.messages = "correct", {"city": "Which Torino?"}
    registration.version += 1
    registration.save()
    with pytest.raises(Outdated):
        edit_person(person, values_of(person), version=seen, by=person.user)
    registration.refresh_from_db()
    assert registration.messages == {"city": "Which Torino?"}


@pytest.mark.parametrize("change", [{"city": "Cuneo"}, {"first_name": "Martina"}])
def test_who_decides_between_the_reading_and_the_writing_is_not_overwritten(
    clock, monkeypatch, change
):
    person = factories.registered(state="verified").person
    before = values_of(person)

    def staff_refuse(_person):
        Registration.objects.update(state="refused", version=2)

    monkeypatch.setattr(editing, "refuse_too_young", staff_refuse)
    with pytest.raises(Outdated) as told, transaction.atomic():
        save(person, **change)
    assert told.value.sentence == CHANGED_MEANWHILE
    assert values_of(Person.objects.get()) == before
    assert AuditEntry.objects.count() == 0


@pytest.mark.parametrize(
    ("change", "state", "checked"),
    [
        ({"first_name": "Martina"}, "new", None),
        ({"last_name": "Bianchi"}, "new", None),
        ({"birth_date": date(1990, 5, 18)}, "new", None),
        ({"city": "Cuneo", "country": "ES", "phone": "1"}, "verified", date(2026, 2, 1)),
    ],
)
def test_only_what_stands_on_the_document_sends_a_verified_registration_back_to_review(
    clock, change, state, checked
):
    person = factories.registered(state="verified", identity_checked_on=date(2026, 2, 1)).person
    assert would_reopen_review(person) is True
    save(person, **change)
    person = Person.objects.get()
    assert (person.player.registration.state, person.identity_checked_on) == (state, checked)
    assert person.player.registration.version == 2
    reopened = AuditEntry.objects.filter(action="registration.reopened").values_list(
        "changes", flat=True
    )
    assert list(reopened) == ([{"state": ["verified", "new"]}] if state == "new" else [])


@pytest.mark.parametrize("change", [{"city": "Cuneo"}, {}])
def test_saving_answers_a_correction_that_staff_asked_for(clock, change):
    person = factories.registered(state="correct").person
    person.player.registration.messages = {"city": "Which Torino?"}
    person.player.registration.save()
    save(person, **change)
    registration = Person.objects.get().player.registration
    assert (registration.state, registration.messages, registration.version) == ("new", {}, 2)
    assert AuditEntry.objects.filter(action="registration.answered").count() == 1


def test_a_refused_registration_stays_refused(clock):
    person = factories.registered(state="refused").person
    save(person, first_name="Martina")
    assert Person.objects.get().player.registration.state == "refused"


def test_pgm_3_a_birth_date_that_makes_the_registration_too_early_is_refused(clock):
    person = factories.registered(on=date(2026, 1, 10)).person
    with pytest.raises(Refused) as refusal:
        save(person, birth_date=date(2010, 1, 11))
    assert refusal.value.field == "birth_date"
    save(person, birth_date=date(2010, 1, 10))
    assert Person.objects.get().birth_date == date(2010, 1, 10)


def test_a_person_without_a_registration_edits_too(clock):
    person = factories.person(user=factories.user())
    save(person, city="Cuneo", birth_date=None)
    assert (Person.objects.get().city, Person.objects.get().birth_date) == ("Cuneo", None)
