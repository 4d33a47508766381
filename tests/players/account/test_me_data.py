"""My data: mend them."""

from datetime import date

import pytest
from django.utils.formats import localize

from pergioco.players.models import Person
from pergioco.players.services.editing import FIELDS, person_version
from tests import factories
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
PAGE = "/en/me/data/"


def typed(person, **changed) -> dict:
    born = person.birth_date
    values = {name: str(getattr(person, name)) for name in FIELDS if name != "birth_date"}
    values |= {"birth_date_0": born.day, "birth_date_1": born.month, "birth_date_2": born.year}
    return values | {"version": person_version(person)} | changed


def test_what_is_saved_is_shown_and_what_is_typed_is_saved():
    person = factories.registered(phone="+39 011 123456").person
    client = signed_in(person.user)
    page = client.get(PAGE).content.decode()
    assert [
        word
        for word in ("Marta", "Rossi", "Torino", "+39 011 123456", 'value="1990"')
        if word not in page
    ] == []
    answer = client.post(PAGE, typed(person, city="Cuneo", country="ES"))
    assert answer.headers["Location"] == "/en/me/"
    saved = Person.objects.get()
    assert (saved.city, saved.country.code, saved.birth_date) == ("Cuneo", "ES", person.birth_date)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"first_name": ""}, "This is still empty: fill it in."),
        ({"first_name": "X" * 101}, "At most 100 characters"),
        ({"city": "<script>"}, "cannot stand here"),
        ({"birth_date_2": "2027"}, "This day is still to come."),
        ({"birth_date_2": "2015"}, "at least 16 years old"),
        ({"birth_date_0": "31", "birth_date_1": "2"}, "The calendar has no day 31/2/1990."),
        ({"phone": "hello"}, "Write the number in digits"),
    ],
)
def test_the_same_rules_as_at_registration_and_nothing_typed_is_lost(change, sentence):
    person = factories.registered().person
    answer = signed_in(person.user).post(PAGE, typed(person, last_name="Bianchi", **change))
    text = answer.content.decode()
    assert sentence in text
    assert 'value="Bianchi"' in text
    assert Person.objects.get().last_name == "Rossi"


def test_pgm_3_too_young_on_the_day_of_registration_is_said_at_the_field():
    person = factories.registered().person
    change = {
        "birth_date_0": 11,
        "birth_date_1": 1,
        "birth_date_2": 2010,
    }  # 16 today, not on 10 January
    answer = signed_in(person.user).post(PAGE, typed(person, **change))
    assert answer.status_code == 200
    assert answer.context["form"].errors.as_data().keys() == {"birth_date"}


def test_before_a_verified_name_changes_the_page_says_what_follows():
    new, verified = factories.registered().person, factories.registered(state="verified").person
    sentence = "the staff have to verify it again"
    assert sentence not in signed_in(new.user).get(PAGE).content.decode()
    assert sentence in signed_in(verified.user).get(PAGE).content.decode()


def test_what_staff_asked_for_leads_to_its_field_and_saving_answers_it():
    person = factories.registered(state="correct").person
    registration = person.player.registration
    registration.messages = {
        "other": "Write to us.",
        "accounts": "Which one?",
        "city": "Which Torino?",
    }
    registration.save()
    client = signed_in(person.user)
    page = client.get(PAGE).content.decode()
    assert '<a href="#id_city">City: Which Torino?</a>' in page
    assert '<a href="/en/me/accounts/">Accounts on platforms: Which one?</a>' in page
    assert "<li>Anything else: Write to us.</li>" in page
    client.post(PAGE, typed(Person.objects.get(), city="Torino (TO)"))
    registration.refresh_from_db()
    assert (registration.state, registration.messages) == ("new", {})


def test_of_two_browsers_the_loser_sees_both_values_and_keeps_what_was_typed():
    person = factories.registered().person
    client, both_saw = signed_in(person.user), typed(person)
    client.post(PAGE, both_saw | {"city": "Cuneo"})
    answer = client.post(PAGE, both_saw | {"city": "Asti", "birth_date_0": "18"})
    assert answer.status_code == 409
    assert answer.context["differences"] == [
        ("Birth date", localize(date(1990, 5, 17)), localize(date(1990, 5, 18))),
        ("City", "Cuneo", "Asti"),
    ]
    assert 'value="Asti"' in answer.content.decode()
    assert Person.objects.get().city == "Cuneo"


def test_the_loser_may_save_again_once_both_versions_were_seen():
    person = factories.registered().person
    client, both_saw = signed_in(person.user), typed(person)
    client.post(PAGE, both_saw | {"country": "ES"})
    lost = client.post(PAGE, both_saw | {"country": "FR"})
    assert lost.context["differences"] == [("Country of residence", "Spain", "France")]
    again = both_saw | {"country": "FR", "version": lost.context["form"]["version"].value()}
    assert client.post(PAGE, again).status_code == 302
    assert Person.objects.get().country.code == "FR"


def test_a_decision_of_staff_in_the_meantime_is_told_too():
    person = factories.registered().person
    seen = typed(person)
    registration = person.player.registration
    registration.state, registration.messages, registration.version = (
        "correct",
        {"city": "Which Torino?"},
        2,
    )
    registration.save()
    answer = signed_in(person.user).post(PAGE, seen)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "The staff decided something" in text
    assert "Which Torino?" in text


def test_what_the_form_does_not_ask_for_is_not_read():
    person, other = factories.registered().person, factories.user()
    forged = {"user": other.pk, "player": other.pk, "id": 99, "player_id": 1}
    flags = {"is_staff": "on", "is_superuser": "on", "document_checked_at": "2026-01-01"}
    before = (person.pk, person.player_id, person.user_id)
    answer = signed_in(person.user).post(PAGE, typed(person, city="Cuneo", **forged, **flags))
    assert answer.status_code == 302
    person = Person.objects.select_related("user").get()
    assert (person.city, person.pk, person.player_id, person.user_id) == ("Cuneo", *before)
    assert (person.user.is_staff, person.user.is_superuser) == (False, False)


def test_a_forged_or_missing_version_overwrites_nothing():
    person = factories.registered().person
    client = signed_in(person.user)
    assert client.post(PAGE, typed(person, city="Cuneo", version="1")).status_code == 409
    assert client.post(PAGE, typed(person, city="Cuneo", version="")).status_code == 409
    assert Person.objects.get().city == "Torino"


def test_nobody_edits_anybody_else():
    mine, other = factories.registered().person, factories.registered(first_name="Altra").person
    signed_in(mine.user).post(
        PAGE, typed(mine, city="Cuneo", user=other.user.pk, player=other.player.pk)
    )
    other.refresh_from_db()
    assert (other.first_name, other.city) == ("Altra", "Torino")
