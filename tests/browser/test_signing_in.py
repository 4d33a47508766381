"""Signing in, with one factor and with two."""

import pytest

from pergioco.demo.logins import PASSWORD, code_for
from tests.browser.axe import problems

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("demo_portal")]


def type_password(visitor, email: str, password: str = PASSWORD) -> None:
    visitor.open("account_login")

    def act(page) -> None:
        page.fill("[name=login]", email)
        page.fill("[name=password]", password)
        with page.expect_navigation():
            page.keyboard.press("Enter")

    visitor.do(act)


@pytest.mark.parametrize("javascript", [True, False])
def test_a_player_signs_in_with_a_password(visit, javascript):
    visitor = visit(javascript=javascript)

    type_password(visitor, "player@example.org")

    assert visitor.path == "/en/me/"
    assert "Marta" in visitor.text()


def test_a_wrong_password_is_answered_in_a_sentence_and_the_address_stays(visit):
    visitor = visit()

    type_password(visitor, "player@example.org", "another one altogether")

    assert visitor.path == "/en/account/login/"
    assert visitor.do(lambda page: page.input_value("[name=login]")) == "player@example.org"
    assert visitor.do(lambda page: page.locator(".error-summary li").count()) == 1
    assert problems(visitor) == []


@pytest.mark.usefixtures("clock")  # a code is good for thirty seconds
@pytest.mark.parametrize("javascript", [True, False])
def test_staff_are_asked_for_a_code_which_the_demo_shows(visit, javascript):
    visitor = visit(width=360, javascript=javascript)

    type_password(visitor, "staff@example.org")
    assert visitor.path == "/en/account/2fa/authenticate/"
    shown = visitor.text(".state .num")
    if javascript:
        assert problems(visitor) == []
    assert shown == code_for("staff@example.org")
    visitor.do(lambda page: page.fill("[name=code]", shown))
    visitor.press("main form .button >> nth=0")

    visitor.open("desk")
    assert visitor.path == "/en/staff/"


def test_recovery_codes_are_made_and_shown(visit):
    visitor = visit(as_user="organizer@example.org")
    visitor.open("mfa_generate_recovery_codes")
    visitor.press("main form .button >> nth=0")

    visitor.open("mfa_view_recovery_codes")

    assert visitor.do(lambda page: page.locator(".codes li").count()) == 10
    assert problems(visitor) == []
