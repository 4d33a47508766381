"""Registering, through the pages: from the form to the confirmed address."""

import re
from datetime import date

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import translation

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.players.models import Consent, Person, Player, Registration
from tests import factories
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
PAGE = "/en/register/"


def typed(**changes):
    """What somebody types who makes no mistake; `None` leaves a field out."""
    values = {
        "first_name": "Zoë",
        "last_name": "D'Angelo-Núñez",
        "birth_date_0": "17",
        "birth_date_1": "5",
        "birth_date_2": "1990",
        "city": "L'Aquila",
        "country": "IT",
        "phone": "",
        "email": "zoe@example.org",
        "password1": "una frase lunga e segreta",
        "bga": "",
        "playstrategy": "Zoe90",
        "abstractplay": "",
        "agrees_rules": "on",
        "agrees_publication": "on",
        "event_code": "",
    }
    return {name: value for name, value in {**values, **changes}.items() if value is not None}


def send(client=None, **changes):
    return (client or Client()).post(PAGE, typed(**changes))


def errors(response):
    return {name: list(sentences) for name, sentences in response.context["form"].errors.items()}


def link_in(message):
    return re.search(r"https?://testserver(/\S+)", message.body)[1]


@pytest.mark.parametrize("moment", ["typed", "sent"])
def test_changing_the_language_half_way_keeps_what_was_typed_and_registers_nobody(client, moment):
    page = client.post(
        "/es/register/", typed(other_language=moment, city="", agrees_newsletter=None)
    )
    form = page.context["form"]
    assert {
        name: form[name].value()
        for name in ("first_name", "country", "playstrategy", "agrees_rules")
    } == {
        "first_name": "Zoë",
        "country": "IT",
        "playstrategy": "Zoe90",
        "agrees_rules": True,
    }
    assert form["birth_date"].value() == ["17", "5", "1990"]
    assert form["agrees_newsletter"].value() is False
    assert set(form.errors) == (set() if moment == "typed" else {"city"})
    assert "una frase lunga e segreta" not in page.content.decode()
    assert Person.objects.count() == 0


def test_changing_the_language_keeps_what_staff_read_on_the_document():
    user = factories.user()
    factories.person(user=user, identity_checked_on=date(2026, 1, 1))
    page = signed_in(user).post("/es/register/", {"other_language": "typed", "city": "Asti"})
    form = page.context["form"]
    assert [form[name].value() for name in ("first_name", "city", "birth_date")] == [
        "Marta",
        "Asti",
        date(1990, 5, 17),
    ]


def test_the_page_asks_for_everything_at_once_and_ticks_no_box(client):
    page = client.get(PAGE).content.decode()
    for autocomplete in (
        "given-name",
        "family-name",
        "bday-day",
        "bday-month",
        "bday-year",
        "address-level2",
    ):
        assert f'autocomplete="{autocomplete}"' in page
    for autocomplete in ("country", "email", "new-password", "tel"):
        assert f'autocomplete="{autocomplete}"' in page
    assert "checked" not in page
    assert page.count('type="checkbox"') == 3
    assert "https://playstrategy.org/team/pergioco-masters" in page


def test_countries_stand_in_the_readers_language_and_order(client):
    page = client.get("/es/register/").content.decode()
    names = re.findall(r'<option value="[A-Z]{2}">([^<]+)', page)
    assert names[:3] == ["Italia", "España", "Francia"]
    assert names[6:8] == ["Afganistán", "Albania"]


def test_the_page_itself_asks_the_database_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get(PAGE)


def test_from_the_form_to_a_registration_that_counts(client):
    response = send(client)
    assert response.status_code == 302
    assert response.url == "/en/register/look-at-your-mail/"
    assert "zoe@example.org" in client.get(response.url).content.decode()
    registration = Registration.objects.get()
    assert (registration.state, registration.registered_on) == ("mail", date(2026, 3, 12))
    assert mail.outbox[0].to == ["zoe@example.org"]

    link = link_in(mail.outbox[0])
    assert client.get(link).status_code == 200
    registration.refresh_from_db()
    assert registration.state == "mail"  # a mail scanner that opens the link confirms nothing
    confirmed = client.post(link)
    assert confirmed.url == "/en/register/is-this-you/"
    assert client.get(confirmed.url).url == "/en/me/"
    registration.refresh_from_db()
    assert (registration.state, registration.registered_on) == ("new", date(2026, 3, 12))


def test_what_is_written(client):
    send(client, phone=" +39 (011) 123-4567 ", agrees_newsletter="on")
    person = Person.objects.get()
    assert (person.first_name, person.last_name, person.birth_date) == (
        "Zoë",
        "D'Angelo-Núñez",
        date(1990, 5, 17),
    )
    assert (person.city, person.country.code, person.phone) == (
        "L'Aquila",
        "IT",
        "+39 (011) 123-4567",
    )
    assert (person.user.email, person.user.language) == ("zoe@example.org", "en")
    assert person.user.check_password("una frase lunga e segreta")
    assert [str(account) for account in person.player.accounts.all()] == ["PlayStrategy: Zoe90"]
    given = {
        (act.kind, act.given, act.text_version, act.language, act.way)
        for act in Consent.objects.all()
    }
    assert given == {
        (kind, True, "2025-1", "en", "registration")
        for kind in ("rules", "publication", "newsletter")
    }
    assert AuditEntry.objects.filter(player=person.player, actor=person.user).count() == 5


def test_a_box_left_empty_is_no_consent(client):
    send(client)
    assert sorted(Consent.objects.values_list("kind", flat=True)) == ["publication", "rules"]


@pytest.mark.parametrize(
    ("language", "words"),
    [("it", "Ho letto e accetto"), ("en", "I have read and accept"), ("es", "He leído y acepto")],
)
def test_each_language_has_its_page_its_words_and_its_login(client, language, words):
    address = f"/{language}/register/"
    assert words in client.get(address).content.decode()
    assert client.post(address, typed()).url == f"/{language}/register/look-at-your-mail/"
    assert User.objects.get().language == language
    assert set(Consent.objects.values_list("language", flat=True)) == {language}


def test_the_link_opened_on_another_device_leads_on_through_the_login(client):
    send(client)
    elsewhere = Client()
    confirmed = elsewhere.post(link_in(mail.outbox[0]))
    assert confirmed.url == "/en/account/login/?next=%2Fen%2Fregister%2Fis-this-you%2F"
    assert Registration.objects.get().state == "new"
    response = elsewhere.post(
        confirmed.url, {"login": "zoe@example.org", "password": "una frase lunga e segreta"}
    )
    assert response.url == "/en/register/is-this-you/"


def test_an_address_confirmed_on_another_way_confirms_the_registration_at_the_login(client):
    send(client)
    User.objects.get().emailaddress_set.update(verified=True)
    client.post(
        reverse("account_login"),
        {"login": "zoe@example.org", "password": "una frase lunga e segreta"},
    )
    assert Registration.objects.get().state == "new"


def test_signing_in_before_confirming_shows_the_same_page(client):
    send(client)
    again = Client()
    credentials = {"login": "zoe@example.org", "password": "una frase lunga e segreta"}
    response = again.post("/en/account/login/", credentials)
    assert response.url == "/en/register/look-at-your-mail/"
    assert "zoe@example.org" in again.get(response.url).content.decode()


def test_look_at_your_mail_without_a_registration_names_no_address(client):
    page = client.get("/en/register/look-at-your-mail/")
    assert page.status_code == 200
    assert page.context["address"] == ""
    assert signed_in(factories.user()).get("/en/register/look-at-your-mail/").url == "/en/me/"


def test_a_known_address_gets_the_same_answer_and_its_owner_a_mail(client):
    factories.user(email="zoe@example.org")
    new, known = Client(), Client()
    answers = [send(new, email="other@example.org"), send(known, playstrategy="Another1")]
    assert [(answer.status_code, answer.url) for answer in answers] == [
        (302, "/en/register/look-at-your-mail/")
    ] * 2
    pages = [one.get("/en/register/look-at-your-mail/").content.decode() for one in (new, known)]
    assert without_what_varies(pages[0].replace("other@", "zoe@")) == without_what_varies(pages[1])
    assert [(message.to, link_in(message)) for message in mail.outbox[1:]] == [
        (["zoe@example.org"], link_in(mail.outbox[1]))
    ]
    assert "/account/confirm-email/" not in mail.outbox[1].body
    assert User.objects.count() == 2
    assert Registration.objects.count() == 1


def without_what_varies(page):
    return re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]+"', "", page)


def test_the_address_is_known_in_any_case(client):
    factories.user(email="zoe@example.org")
    send(client, email="ZOE@Example.org")
    assert User.objects.count() == 1


def test_sending_twice_creates_nothing_twice(client):
    first, second = send(client), send(client)
    assert (first.url, second.url) == ("/en/register/look-at-your-mail/",) * 2
    assert (User.objects.count(), Player.objects.count(), Registration.objects.count()) == (1, 1, 1)
    assert len(mail.outbox) == 1


def test_two_at_once_with_one_address_make_one_registration(client, monkeypatch):
    """Both forms found the address free; the database decides, and the slower one gets the known
    address's answer."""
    from allauth.account import forms as allauth_forms

    send(Client())
    seen = []
    truth = allauth_forms.email_already_exists

    def blind_once(email, **options):
        seen.append(email)
        return (email, False) if len(seen) == 1 else truth(email, **options)

    monkeypatch.setattr(allauth_forms.flows.manage_email, "email_already_exists", blind_once)
    assert send(client).url == "/en/register/look-at-your-mail/"
    assert len(seen) == 2
    assert (User.objects.count(), Player.objects.count()) == (1, 1)


def test_who_has_a_login_is_asked_for_neither_e_mail_nor_password():
    user = factories.user()
    client = signed_in(user)
    page = client.get(PAGE).content.decode()
    assert 'name="password1"' not in page
    assert 'name="email"' not in page
    response = send(client, email=None, password1=None)
    assert response.url == "/en/register/is-this-you/"
    registration = Registration.objects.get()
    assert (registration.state, registration.player.person.user) == ("new", user)
    assert mail.outbox == []
    assert send(client, email=None, password1=None).url == "/en/me/"
    assert Registration.objects.count() == 1


def test_a_member_of_big_keeps_the_player_and_mends_the_data():
    user = factories.user()
    person = factories.person(user=user, city="Torino")
    factories.account(person.player, "Zoe90")
    client = signed_in(user)
    page = client.get(PAGE).content.decode()
    assert 'value="Torino"' in page
    assert 'name="playstrategy"' not in page
    assert "PlayStrategy: Zoe90" in page
    send(client, playstrategy=None, city="Asti")
    registration = Registration.objects.get()
    assert registration.player == person.player
    person.refresh_from_db()
    assert (person.first_name, person.city) == ("Zoë", "Asti")
    assert Player.objects.count() == 1


def test_what_staff_read_on_the_document_is_not_typed_again():
    user = factories.user()
    person = factories.person(user=user, identity_checked_on=date(2026, 1, 1))
    send(signed_in(user), first_name="Somebody", last_name="Else", birth_date_2="1991")
    person.refresh_from_db()
    assert (str(person), person.birth_date) == ("Marta Rossi", date(1990, 5, 17))
    assert person.identity_checked_on == date(2026, 1, 1)


def test_the_registered_are_sent_to_their_account(player_user):
    assert signed_in(player_user).get(PAGE).url == "/en/me/"
    assert signed_in(player_user).post(PAGE, typed()).url == "/en/me/"


def test_the_event_code_comes_with_the_link(client):
    assert 'value="torino26"' in client.get(f"{PAGE}?event=torino26").content.decode()


def test_how_many_queries_a_registration_takes(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(76):
        send(client)


def test_the_day_is_the_one_in_rome(client, clock):
    clock.move_to("2026-12-31T23:30:00+00:00")
    send(client)
    assert Registration.objects.get().registered_on == date(2027, 1, 1)


def test_the_known_address_is_told_in_the_language_of_the_page(client):
    factories.user(email="zoe@example.org")
    with translation.override("it"):
        client.post("/it/register/", typed())
    assert mail.outbox[0].to == ["zoe@example.org"]
    assert "/it/" in mail.outbox[0].body
