"""Signing people out."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client

from pergioco.core.roles import end_sessions
from tests import factories
from tests.conftest import reauthenticated, signed_in

pytestmark = pytest.mark.django_db
PAGE = "/en/me/two-factors/"
SESSIONS = "/en/account/sessions/"


def with_key(key: str) -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    return client


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def sign_in(client: Client, user) -> None:
    client.post("/en/account/login/", {"login": user.email, "password": factories.PASSWORD})


def statuses(*clients) -> list[int]:
    return [client.get(PAGE).status_code for client in clients]


def test_every_session_of_the_login_ends_and_nobody_else_s():
    user, other = factories.user(), factories.user()
    phone, computer, stranger = signed_in(user), signed_in(user), signed_in(other)
    assert statuses(phone, computer, stranger) == [200, 200, 200]
    assert end_sessions(user) == 2
    assert statuses(phone, computer, stranger) == [302, 302, 200]
    assert Session.objects.count() == 1


def test_a_change_of_password_ends_the_other_sessions():
    user = factories.user()
    phone, computer = signed_in(user), signed_in(user)
    statuses(phone, computer)
    new = "un’altra frase lunga"
    phone.post(
        "/en/account/password/change/",
        {"oldpassword": factories.PASSWORD, "password1": new, "password2": new},
    )
    assert statuses(phone, computer) == [200, 302]


def test_typing_the_password_again_changes_the_session():
    user = factories.user()
    browser = signed_in(user)
    seen = with_key(key_of(browser))
    browser.post("/en/account/reauthenticate/", {"password": factories.PASSWORD})
    assert [one.get("/en/me/").status_code for one in (browser, seen)] == [200, 302]


def test_signing_in_gives_a_new_session_and_a_key_that_was_made_up_opens_nothing():
    """32 of 36 signs: 165 bits."""
    user, browser = factories.user(), with_key("a" * 32)
    sign_in(browser, user)
    fresh = key_of(browser)
    assert len(fresh) == 32
    assert fresh.isalnum()
    assert statuses(browser, with_key("a" * 32), with_key(fresh[:-1] + "A")) == [200, 302, 302]
    sign_in(again := Client(), user)
    assert key_of(again) != fresh


def test_after_signing_out_the_old_cookie_opens_nothing():
    browser = signed_in(factories.user())
    kept = with_key(key_of(browser))
    assert statuses(kept) == [200]
    browser.post("/en/account/logout/")
    assert statuses(browser, kept) == [302, 302]
    assert Session.objects.count() == 0


def test_a_session_ends_two_weeks_after_signing_in_however_often_it_is_used(clock):
    browser, user = Client(), factories.user()
    sign_in(browser, user)
    found = []
    for _ in range(3):
        clock.shift(timedelta(days=6))
        found += statuses(browser)
    assert found == [200, 200, 302]


def test_a_closed_login_has_no_session_left():
    user = factories.user()
    browser = signed_in(user)
    user.is_active = False
    user.save()
    assert statuses(browser) == [302]


def test_who_ends_the_other_sessions_types_the_password_again():
    user = factories.user()
    stolen, phone = signed_in(user), signed_in(user)
    statuses(stolen, phone)
    answer = stolen.post(SESSIONS)
    assert answer.url.startswith("/en/account/reauthenticate/?next=")
    assert statuses(phone) == [200]
    owner = reauthenticated(user)
    statuses(owner)
    owner.post(SESSIONS)
    assert statuses(owner, stolen, phone) == [200, 302, 302]


def test_who_changes_the_password_types_the_old_one():
    user = factories.user()
    new = "un’altra frase lunga"
    typed = {"oldpassword": "not this one", "password1": new, "password2": new}
    assert signed_in(user).post("/en/account/password/change/", typed).status_code == 200
    user.refresh_from_db()
    assert user.check_password(factories.PASSWORD)
