"""Signing people out."""

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client

from pergioco.core.roles import end_sessions
from tests import factories
from tests.conftest import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/en/me/two-factors/"


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
    browser, seen = signed_in(user), Client()
    seen.cookies[settings.SESSION_COOKIE_NAME] = browser.cookies[settings.SESSION_COOKIE_NAME].value
    browser.post("/en/account/reauthenticate/", {"password": factories.PASSWORD})
    assert [one.get("/en/me/").status_code for one in (browser, seen)] == [200, 302]
