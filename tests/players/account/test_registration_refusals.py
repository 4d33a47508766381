"""What the registration page does not accept, in the sentence that it says; nothing that was typed
is lost."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from pergioco.core.models import User
from pergioco.players.models import EventCode, Registration
from pergioco.players.services.accounts import TAKEN
from tests import factories
from tests.conftest import signed_in
from tests.players.account.test_registration import PAGE, errors, send, typed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
PLACE_SIGNS = "write the name of the place in letters and digits."
NAME_SIGNS = "use letters, spaces, apostrophes, hyphens and full stops."


def born(day, month, year):
    return {"birth_date_0": day, "birth_date_1": month, "birth_date_2": year}


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        (born("13", "3", "2010"), "birth_date", "You can register from 13 March 2026 on."),
        (born("29", "2", "2012"), "birth_date", "You can register from 29 February 2028 on."),
        (born("13", "3", "2026"), "birth_date", "This day is still to come. Check the year."),
        (born("1", "1", "1800"), "birth_date", "That is more than 120 years ago. Check the year."),
        (
            born("30", "2", "1990"),
            "birth_date",
            ("The calendar has no day 30/2/1990. Check day and month."),
        ),
        (
            born("5", "17", "1990"),
            "birth_date",
            ("The calendar has no day 5/17/1990. Check day and month."),
        ),
        (
            born("1", "1", "0000"),
            "birth_date",
            ("The calendar has no day 1/1/0000. Check day and month."),
        ),
        (born("17", "5", "90"), "birth_date", "Write the year in four digits, for example 1990."),
        (
            born("17", "May", "1990"),
            "birth_date",
            "Write the date in digits, for example 17 5 1990.",
        ),
        (born("17", "", "1990"), "birth_date", "Write day, month and year, for example 17 5 1990."),
        (born("", "", ""), "birth_date", "Write day, month and year, for example 17 5 1990."),
        (born("17/5", "", ""), "birth_date", "Write day, month and year, for example 17 5 1990."),
        (born("/", "", ""), "birth_date", "Write day, month and year, for example 17 5 1990."),
        ({"first_name": "x" * 300}, "first_name", "At most 100 characters, please: this has 300."),
        ({"first_name": ""}, "first_name", "This is still empty: fill it in."),
        ({"first_name": " \u200b\u202e "}, "first_name", "This is still empty: fill it in."),
        ({"last_name": "Rossi 🎲"}, "last_name", f"“🎲” cannot stand here: {NAME_SIGNS}"),
        ({"last_name": "Rossi2"}, "last_name", f"“2” cannot stand here: {NAME_SIGNS}"),
        ({"last_name": "-.-"}, "last_name", "Write at least one letter."),
        (
            {"last_name": "Ro" + "\u0336" * 5 + "ssi"},
            "last_name",
            "One letter has too many accents on it.",
        ),
        ({"city": "<script>alert(1)</script>"}, "city", "“<” cannot stand here: " + PLACE_SIGNS),
        ({"country": ""}, "country", "Choose a country from the list."),
        ({"country": "XX"}, "country", "Choose a country from the list."),
        (
            {"phone": "call me"},
            "phone",
            ("Write the number in digits, with the country’s prefix: +39 333 1234567."),
        ),
        (
            {"phone": "123"},
            "phone",
            ("Write the number in digits, with the country’s prefix: +39 333 1234567."),
        ),
        ({"email": ""}, "email", "Write your e-mail address: nobody can sign in without it."),
        (
            {"email": "zoe@"},
            "email",
            ("This is not an e-mail address. It looks like name@example.org."),
        ),
        (
            {"email": f"zoe@{'a.' * 125}example.org"},
            "email",
            ("An e-mail address has at most 254 characters."),
        ),
        ({"password1": ""}, "password1", "Choose a password."),
        (
            {"password1": "short"},
            "password1",
            ("This password is too short. It must contain at least 10 characters."),
        ),
        (
            {"password1": "PerGioco-2026!"},
            "password1",
            "These are words that anybody here would try first. Add others to them.",
        ),
        (
            {"playstrategy": ""},
            "bga",
            ("Give at least one account: the stages are played there (PGM 3)."),
        ),
        (
            {"agrees_rules": None},
            "agrees_rules",
            ("Without this box nobody can be registered (PGM 4)."),
        ),
        (
            {"agrees_publication": None},
            "agrees_publication",
            "Without this box nobody can be registered: rankings show names (PGM 12).",
        ),
        (
            {"event_code": "nosuch"},
            "event_code",
            ("No event has this code. Check it, or leave the box empty."),
        ),
    ],
)
def test_each_refusal_has_its_sentence(changes, field, sentence):
    response = send(**changes)
    assert response.status_code == 200
    assert list(errors(response)) == [field]
    assert errors(response)[field][-1].endswith(sentence)
    assert User.objects.count() == 0
    assert mail.outbox == []


def test_pgm_3_the_sentence_names_the_age_the_rule_and_the_day():
    assert errors(send(**born("13", "3", "2010"))) == {
        "birth_date": [
            "Players are at least 16 years old (PGM 3). You can register from 13 March 2026 on."
        ]
    }
    assert send(**born("12", "3", "2010")).status_code == 302


def test_the_other_boxes_a_link_to_a_wrong_profile_names_the_right_kind():
    sentence = errors(send(playstrategy="https://example.org/@/zoe"))["playstrategy"][0]
    assert sentence == (
        "This is not the link of a profile on PlayStrategy. Such a link looks like this: "
        "https://playstrategy.org/@/Name"
    )


@pytest.mark.parametrize(
    "text", ["17/05/1990", "17.5.1990", "17-05-1990", " 17 5 1990 ", "1990-05-17", "١٧/٥/١٩٩٠"]
)
def test_a_whole_date_in_the_first_box_is_understood(text):
    assert send(**born(text, "", "")).status_code == 302
    assert str(Registration.objects.get().player.person.birth_date) == "1990-05-17"


@pytest.mark.parametrize(
    "name",
    [
        "María José",
        "O’Connor",
        "Jean-Luc",
        "J. R.",
        "Đặng",
        "Þórr",
        "Nikolić",
        "Gal·la",
        "Владимир",
        "李",
        "अनिल",
    ],
)
def test_names_of_all_kinds_are_written_as_they_are(name):
    assert send(first_name=f"  {name}\u200b ").status_code == 302
    assert Registration.objects.get().player.person.first_name == name


def test_spaces_and_invisible_characters_are_tidied():
    send(first_name="Anna\u00a0  Maria", last_name="\u202eRossi\u202c", city="Roma 70 (Lido)")
    person = Registration.objects.get().player.person
    assert (person.first_name, person.last_name, person.city) == (
        "Anna Maria",
        "Rossi",
        "Roma 70 (Lido)",
    )


def test_nothing_typed_is_lost_but_the_password():
    response = send(
        **born("30", "2", "1990"), city="<b>Roma", phone="011 1234567", agrees_newsletter="on"
    )
    page = response.content.decode()
    for value in (
        "Zoë",
        "D&#x27;Angelo-Núñez",
        "30",
        "1990",
        "&lt;b&gt;Roma",
        "011 1234567",
        "zoe@example.org",
        "Zoe90",
    ):
        assert f'value="{value}"' in page
    assert '<option value="IT" selected>' in page
    assert page.count("checked") == 3
    assert "una frase lunga e segreta" not in page
    assert "write it again" in page


def test_what_is_typed_never_becomes_markup():
    page = send(city='"><script>alert(1)</script>').content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_every_trouble_is_said_at_once():
    response = Client().post(PAGE, {})
    assert set(errors(response)) == {
        *("first_name", "last_name", "birth_date", "city", "country", "email", "password1", "bga"),
        *("agrees_rules", "agrees_publication"),
    }


def test_an_account_of_a_registered_player_is_refused_without_saying_whose():
    factories.account(factories.registered(), "Zoe90", platform_id="zoe90")
    response = send()
    assert errors(response) == {"playstrategy": [TAKEN]}
    assert "Rossi" not in response.content.decode()


def test_an_account_of_a_member_who_can_sign_in_is_refused_too():
    factories.account(factories.person(user=factories.user()).player, "Zoe90", platform_id="zoe90")
    assert errors(send()) == {"playstrategy": [TAKEN]}


def test_after_a_slip_in_the_address_one_registers_again_with_the_same_account():
    send(email="slip@example.org")
    assert send().status_code == 302
    owner = Registration.objects.get(player__person__user__email="zoe@example.org").player
    assert [str(account) for account in owner.accounts.all()] == ["PlayStrategy: Zoe90"]
    assert (
        Registration.objects.get(
            player__person__user__email="slip@example.org"
        ).player.accounts.count()
        == 0
    )


def limited(settings, rate="2/h/ip"):
    settings.REGISTRATION_RATE = rate


def test_the_limit_keeps_what_was_typed_and_says_what_to_do(settings):
    limited(settings)
    for n in range(2):
        assert send(email=f"n{n}@example.org", playstrategy=f"Nick{n}").status_code == 302
    response = send()
    assert response.status_code == 429
    sentence = (
        "Many people have registered from this connection in the last hour. Try again in an hour; "
        "at an event, ask the organizer for the event code. What you typed is still here."
    )
    assert errors(response)["__all__"] == [sentence]
    assert 'value="zoe@example.org"' in response.content.decode()
    assert User.objects.count() == 2


def test_the_limit_counts_known_addresses_and_not_slips(settings):
    limited(settings)
    factories.user(email="zoe@example.org")
    assert [send(city="").status_code for _ in range(3)] == [200] * 3
    assert [send().status_code for _ in range(3)] == [302, 302, 429]


def test_a_forged_forwarding_header_does_not_lift_the_limit(settings):
    limited(settings, "1/h/ip")
    statuses = [
        Client(headers={"X-Forwarded-For": f"10.0.0.{n}"})
        .post(PAGE, typed(email=f"n{n}@example.org"))
        .status_code
        for n in range(3)
    ]
    assert statuses == [302, 429, 429]


def code(**fields):
    now = timezone.now()
    defaults = {
        "code": "torino26",
        "valid_from": now,
        "valid_to": now + timedelta(days=1),
        "uses_left": 100,
    }
    return EventCode.objects.create(
        created_by=factories.user_with_role("staff"), **{**defaults, **fields}
    )


def test_64_people_register_from_one_address_with_an_event_code(settings):
    limited(settings)
    event = code()
    answers = [
        send(email=f"n{n}@example.org", playstrategy=f"Nick{n}", event_code=" TORINO26").status_code
        for n in range(64)
    ]
    assert answers == [302] * 64
    assert Registration.objects.count() == 64
    event.refresh_from_db()
    assert event.uses_left == 36
    # the address's own limit is untouched
    assert send(email="last@example.org", playstrategy="Last").status_code == 302


def test_a_refused_registration_costs_no_use():
    event = code()
    send(event_code="torino26", city="")
    event.refresh_from_db()
    assert event.uses_left == 100


def test_a_code_loses_a_use_for_a_known_address_too():
    factories.user(email="zoe@example.org")
    event = code()
    assert send(event_code="torino26").status_code == 302
    event.refresh_from_db()
    assert event.uses_left == 99


@pytest.mark.parametrize(
    "fields",
    [
        {"uses_left": 0},
        {"valid_from": timezone.datetime(2026, 3, 13, tzinfo=timezone.get_default_timezone())},
        {
            "valid_from": timezone.datetime(2026, 3, 10, tzinfo=timezone.get_default_timezone()),
            "valid_to": timezone.datetime(
                2026, 3, 12, 12, 0, tzinfo=timezone.get_default_timezone()
            ),
        },
    ],
)
def test_a_code_that_is_not_open_is_said_to_be_so(fields):
    code(**fields)
    assert errors(send(event_code="torino26")) == {
        "event_code": ["This code is not in force any more, or not yet. Leave the box empty."]
    }


def test_of_two_at_once_on_the_last_use_one_is_told(monkeypatch):
    """Both forms found one use left; the conditional UPDATE lets one through, the other is
    undone."""
    from pergioco.players.services import registering

    event = code(uses_left=1)
    monkeypatch.setattr(registering, "find_open_event_code", lambda _text, _now: event)
    assert send(event_code="torino26").status_code == 302
    response = send(email="late@example.org", playstrategy="Late", event_code="torino26")
    assert errors(response) == {
        "event_code": ["The last use of this code has just gone. Leave the box empty."]
    }
    # staff who made the code, and the first
    assert (User.objects.count(), Registration.objects.count()) == (
        2,
        1,
    )


def test_an_account_taken_in_the_last_moment_undoes_everything(monkeypatch):
    from pergioco.players.services import registering

    factories.account(factories.registered(), "Zoe90", platform_id="zoe90")
    monkeypatch.setattr(registering, "refuse_account_of_another", lambda *_args: None)
    assert errors(send()) == {"playstrategy": [TAKEN]}
    assert not User.objects.filter(email="zoe@example.org").exists()


def test_a_login_under_sixteen_is_refused_too():
    response = send(
        signed_in(factories.user()), **born("13", "3", "2010"), email=None, password1=None
    )
    assert list(errors(response)) == ["birth_date"]
    assert Registration.objects.count() == 0
