"""What anybody can have sent to an address by a form: three mails a day, and none says whether
there is a login with it."""

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import cycle, pairwise
from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from pergioco.core.models import User
from pergioco.office.forms import opened_now
from tests import factories
from tests.big_league.events_public.test_requests import FIRST as REQUEST
from tests.big_league.events_public.test_signups import TYPED as SIGN_UP
from tests.conftest import signed_in
from tests.no_limits import no_limits
from tests.players.account.test_registration import typed as registering

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
KNOWN, OTHER = "known@mail.example.org", "other@mail.example.org"
SAYS_IT = {
    "it": re.compile(r"già un account|nessun account|non c’è|non esist|esiste", re.IGNORECASE),
    "en": re.compile(r"already an account|no account|account exists|does not exist", re.IGNORECASE),
    "es": re.compile(r"ya (hay|existe)|ninguna cuenta|no (hay|existe)", re.IGNORECASE),
}
LOGIN = "/en/account/login/"
TRIES = 6
Way = Callable[[str], Callable[[], object]]


@pytest.fixture(autouse=True)
def known(db, clock) -> User:
    return factories.user(KNOWN)


def register(address: str, language: str = "en"):
    return lambda: Client().post(
        f"/{language}/register/",
        registering(email=address, playstrategy=f"Nick{uuid4().hex[:12]}"),
    )


def reset(address: str, language: str = "en"):
    return lambda: Client().post(f"/{language}/account/password/reset/", {"email": address})


def sign_in_without_confirming(address: str):
    user = factories.user(address)
    user.emailaddress_set.update(verified=False)
    typed = {"login": address, "password": factories.PASSWORD}
    return lambda: Client().post(LOGIN, typed)


def stranger_with_a_login() -> Callable[[str, str], None]:
    browser = signed_in(factories.user("stranger@example.net"))

    def send(act: str, address: str) -> None:
        browser.post("/en/account/reauthenticate/", {"password": factories.PASSWORD})
        browser.post("/en/account/email/", {act: "", "email": address})

    return send


def change_own_address(address: str):
    send = stranger_with_a_login()
    there = cycle(["one@example.net", "two@example.net"])

    def change_there_and_back() -> None:
        send("action_add", next(there))
        send("action_add", address)

    return change_there_and_back


def have_it_confirmed_again(address: str):
    send = stranger_with_a_login()
    send("action_add", address)
    mail.outbox.clear()
    return lambda: send("action_send", address)


def write_to_the_office(path: str) -> Way:
    def prepare(address: str):
        opened = opened_now()
        letter = {"name": "Carla Verdi", "text": "Era una patta.", "language": "it"}
        letter |= {"email": address, "office": "pgm", "opened": opened}
        return lambda: Client().post(path, letter)

    return prepare


def ask_for_a_tournament(address: str):
    game = factories.game_sheet(factories.game("catan")).game
    return lambda: Client().post(
        "/en/big/request/", REQUEST | {"games": game.pk, "organizer_email": address}
    )


def sign_up(address: str):
    page = f"/en/big/events/{factories.homologated().stage.slug}/join/"
    return lambda: Client().post(page, SIGN_UP | {"email": address, "first_name": "Ada"})


def move_up_and_down(address: str):
    """Their box comes and goes, and so does the seat of the other."""
    event = factories.homologated()
    event.capacity = 1
    event.save()
    page = f"/en/big/events/{event.stage.slug}/join/"
    Client().post(page, SIGN_UP | {"email": address, "brings_box": ""})
    own = SIGN_UP | {"email": "stranger@example.net", "last_name": "Blu", "brings_box": ""}
    link = Client().post(page, own).url
    mail.outbox.clear()
    boxes = cycle(["yes", "no"])
    return lambda: Client().post(link, {"box": next(boxes)})


WAYS: dict[str, tuple[Way, str]] = {
    "registration": (register, OTHER),
    "registration of a known address": (register, KNOWN),
    "new password": (reset, OTHER),
    "new password of a known address": (reset, KNOWN),
    "signing in without confirming": (sign_in_without_confirming, OTHER),
    "another address of one's own": (change_own_address, OTHER),
    "confirmation again": (have_it_confirmed_again, OTHER),
    "complaint": (write_to_the_office("/en/complaints/"), OTHER),
    "question": (write_to_the_office("/en/contact/"), OTHER),
    "request for a tournament": (ask_for_a_tournament, OTHER),
    "sign-up": (sign_up, OTHER),
    "moved in the waiting line": (move_up_and_down, OTHER),
}


def mails_to(address: str) -> int:
    return sum(address in letter.recipients() for letter in mail.outbox)


def repeat(act: Callable[[], object], clock) -> None:
    for _ in range(TRIES):
        clock.shift(61)  # allauth sends one confirmation a minute
        act()


@pytest.mark.parametrize("name", WAYS)
def test_an_address_gets_three_a_day_at_most_however_they_are_caused(name, clock):
    prepare, address = WAYS[name]
    act = prepare(address)
    a_day = 3 if prepare is reset else 2
    began_with_one = prepare in {have_it_confirmed_again, move_up_and_down}
    repeat(act, clock)
    assert mails_to(address) == a_day - began_with_one
    mail.outbox.clear()
    clock.shift(timedelta(days=1))
    repeat(act, clock)
    assert mails_to(address) == a_day


@pytest.mark.parametrize("name", WAYS)
def test_control_without_the_limit_it_gets_all_of_them(name, clock):
    prepare, address = WAYS[name]
    with no_limits():
        act = prepare(address)
        repeat(act, clock)
    assert mails_to(address) >= TRIES - 1


def test_the_ways_count_together(clock):
    for way in (register, reset, write_to_the_office("/en/contact/"), reset, sign_up):
        act = way(OTHER)
        clock.shift(61)
        act()
    assert mails_to(OTHER) == 3


def use_up(clock) -> None:
    """All that strangers can have sent to a known address, but for new passwords."""
    for way in (register, write_to_the_office("/en/contact/"), ask_for_a_tournament, sign_up):
        repeat(way(KNOWN), clock)


def test_one_is_kept_for_a_new_password(clock):
    use_up(clock)
    assert mails_to(KNOWN) == 2
    reset(KNOWN)()
    assert "/password/reset/key/" in mail.outbox[-1].body
    assert mails_to(KNOWN) == 3


def test_control_if_none_is_kept_strangers_use_up_all(clock, monkeypatch):
    monkeypatch.setattr("pergioco.core.mail.BUT_FOR_PASSWORDS", "3/d/key")
    use_up(clock)
    reset(KNOWN)()
    assert "/password/reset/key/" not in " ".join(letter.body for letter in mail.outbox)


def test_the_answers_stay_the_same_when_no_mail_leaves(clock):
    answers = {}
    for address in (KNOWN, OTHER):
        reset_mail = reset(address)
        repeat(reset_mail, clock)
        answers[address] = [
            re.sub(rf'{address}|value="[^"]*"|nonce="[^"]*"', "", page.content.decode())
            + f"{page.status_code} {page.headers.get('Location')}"
            for page in (reset_mail(), register(address)())
        ]
        assert mails_to(address) == 3
    assert answers[KNOWN] == answers[OTHER]


def test_what_is_done_with_ones_own_login_is_told_without_a_limit(known):
    browser = signed_in(known)
    passwords = [factories.PASSWORD, *(f"another good one {n}" for n in range(4))]
    for old, new in pairwise(passwords):
        typed = {"oldpassword": old, "password1": new, "password2": new}
        assert browser.post(reverse("account_change_password"), typed).status_code == 302
    assert mails_to(KNOWN) == 4


@pytest.mark.parametrize("language", SAYS_IT)
@pytest.mark.parametrize("way", [register, reset])
def test_no_mail_says_whether_there_is_a_login(way, language):
    for address in (KNOWN, OTHER):
        way(address, language)()
    assert [mails_to(address) for address in (KNOWN, OTHER)] == [1, 1]
    for letter in mail.outbox:
        assert not SAYS_IT[language].search(f"{letter.subject} {letter.body}"), letter.body
