"""What the log says of logins: that they sign in, that somebody tried; never who they are."""

import pytest
from django.test import Client

from pergioco.players import sign_in as players_sign_in
from tests import factories
from tests.conftest import reauthenticated

pytestmark = pytest.mark.django_db
LOGIN = "/en/account/login/"


@pytest.fixture
def lines(caplog):
    caplog.set_level("INFO", logger="pergioco.sign_in")
    return lambda: [
        (record.levelname, record.getMessage())
        for record in caplog.records
        if record.name == "pergioco.sign_in"
    ]


def sign_in(email: str, password: str = factories.PASSWORD) -> Client:
    client = Client()
    client.post(LOGIN, {"login": email, "password": password})
    return client


def test_who_signs_in_and_out_is_written_down_by_number(player_user, lines):
    client = sign_in(player_user.email)
    client.post("/en/account/logout/")
    assert lines() == [
        ("INFO", f"login {player_user.pk} signed in by password"),
        ("INFO", f"login {player_user.pk} signed out"),
    ]


def test_the_factors_that_were_used_are_written_down(player_user, lines):
    codes = factories.recovery_codes(player_user).wrap().generate_codes()
    factories.authenticator_app(player_user)
    client = sign_in(player_user.email)
    assert lines() == []
    client.post("/en/account/2fa/authenticate/", {"code": codes[0]})
    assert lines() == [("INFO", f"login {player_user.pk} signed in by password and recovery_codes")]


def test_a_wrong_password_names_the_login_that_was_tried(player_user, lines):
    sign_in(player_user.email.upper(), "not this one")
    assert lines() == [("WARNING", f"login {player_user.pk} was tried with a wrong password")]


def test_a_try_beyond_the_limit_names_the_login_too(player_user, lines):
    for _ in range(6):
        sign_in(player_user.email, "not this one")
    assert lines()[4:] == [
        ("WARNING", f"login {player_user.pk} was tried with a wrong password"),
        ("WARNING", f"login {player_user.pk} was tried too often"),
    ]


def test_an_address_that_nobody_has_is_not_written_down(lines):
    sign_in("nobody@mail.example.org", "not this one")
    assert lines() == [("WARNING", "login unknown was tried with a wrong password")]


def test_a_changed_password_is_written_down(player_user, lines):
    new = "quarantadue-torri-di-legno"
    answers = {"oldpassword": factories.PASSWORD, "password1": new, "password2": new}
    reauthenticated(player_user).post("/en/account/password/change/", answers)
    assert ("INFO", f"login {player_user.pk} changed the password") in lines()


def test_a_wrong_second_factor_is_written_down(player_user, lines):
    players_sign_in.factors.authentication_failed.send(
        type(player_user), user=player_user, request=None
    )
    assert lines() == [("WARNING", f"login {player_user.pk} gave a wrong second factor")]


@pytest.mark.parametrize(
    "what", ["added a second factor", "took a second factor away", "made new recovery codes"]
)
def test_what_happens_to_second_factors_is_written_down(player_user, lines, what):
    players_sign_in.LOGGED_SIGNALS[what].send(type(player_user), user=player_user, request=None)
    assert lines() == [("INFO", f"login {player_user.pk} {what}")]
