"""Every page of the login machinery stands in our frame, with a heading, labels and words of
ours."""

import re
from http import HTTPStatus

import pytest
from allauth.account.models import EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from pergioco.core.models import User
from pergioco.demo.logins import code_for
from tests import factories
from tests.conftest import reauthenticated

HEADING = re.compile(r"<h1>\s*(.+?)\s*</h1>", re.DOTALL)


@pytest.fixture
def member(db) -> User:
    return factories.user()


def assert_is_ours(response, heading: str) -> None:
    page = response.content.decode()
    assert HEADING.findall(page) == [heading]
    assert 'class="site-bar"' in page
    assert f"<title>{heading} · PerGioco Masters</title>" in page
    assert "placeholder=" not in page
    assert "style=" not in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("account_login", "Sign in"),
        ("account_inactive", "This account is closed"),
        ("account_reset_password", "A new password"),
        ("account_reset_password_done", "Look at your mail"),
        ("account_reset_password_from_key_done", "Your password is changed"),
        ("account_email_verification_sent", "Look at your mail"),
    ],
)
def test_pages_for_anybody(client: Client, name: str, heading: str) -> None:
    assert_is_ours(client.get(f"/en{reverse(name)[3:]}"), heading)


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("account_logout", "Sign out"),
        ("account_email", "E-mail address"),
        ("account_change_password", "Change the password"),
        ("account_reauthenticate", "Is it still you?"),
        ("usersessions_list", "Where you are signed in"),
        ("mfa_index", "Two factors"),
        ("mfa_activate_totp", "Switch on the authenticator app"),
        ("mfa_add_webauthn", "Add a passkey"),
        ("mfa_list_webauthn", "Passkeys"),
    ],
)
def test_pages_of_an_account(member: User, name: str, heading: str) -> None:
    client = reauthenticated(member)
    assert_is_ours(client.get(f"/en{reverse(name)[3:]}"), heading)


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("mfa_index", "Two factors"),
        ("mfa_deactivate_totp", "Switch off the authenticator app"),
        ("mfa_view_recovery_codes", "Recovery codes"),
        ("mfa_generate_recovery_codes", "New recovery codes"),
        ("mfa_reauthenticate", "Is it still you?"),
    ],
)
def test_pages_of_an_account_with_two_factors(member: User, name: str, heading: str) -> None:
    client = reauthenticated(member)
    factories.authenticator_app(member)
    factories.recovery_codes(member)
    assert_is_ours(client.get(f"/en{reverse(name)[3:]}"), heading)


def test_the_second_step_of_signing_in(client: Client, member: User) -> None:
    factories.authenticator_app(member)
    answer = client.post(
        "/en/account/login/", {"login": member.email, "password": factories.PASSWORD}, follow=True
    )
    assert_is_ours(answer, "Second step")
    assert "Use a passkey" in answer.content.decode()


def test_a_link_of_a_mail_that_is_too_old_says_so(client: Client, member: User) -> None:
    assert_is_ours(client.get("/en/account/confirm-email/nonsense/"), "This link no longer works")
    assert_is_ours(
        client.get("/en/account/password/reset/key/1-set-password/"), "This link no longer works"
    )


def test_a_link_of_a_mail_asks_for_one_press(client: Client, db) -> None:
    address = factories.user(verified=False).emailaddress_set.get()
    assert_is_ours(
        client.get(f"/en/account/confirm-email/{EmailConfirmationHMAC(address).key}/"),
        "Confirm your address",
    )


def test_each_passkey_can_be_renamed_and_removed(member: User) -> None:
    client = reauthenticated(member)
    key = Authenticator.objects.create(
        user=member, type="webauthn", data={"name": "Phone", "passwordless": True, "credential": {}}
    )
    assert "Phone" in client.get(f"/en{reverse('mfa_list_webauthn')[3:]}").content.decode()
    assert_is_ours(
        client.get(f"/en/account/2fa/webauthn/keys/{key.pk}/edit/"), "Rename the passkey"
    )
    assert_is_ours(
        client.get(f"/en/account/2fa/webauthn/keys/{key.pk}/remove/"), "Remove the passkey"
    )


@pytest.mark.django_db
def test_a_wrong_password_is_said_at_the_top(client: Client) -> None:
    page = client.post(
        "/en/account/login/", {"login": "nobody@example.org", "password": "wrong"}
    ).content.decode()
    assert 'id="error-summary"' in page
    assert 'value="nobody@example.org"' in page


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")  # twenty are allowed in a minute
def test_too_many_tries_are_a_page_of_ours(client: Client) -> None:
    for number in range(21):
        page = client.post("/en/account/password/reset/", {"email": f"someone{number}@example.org"})
    assert page.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert_is_ours(page, "Too many tries")


def test_scripts_of_passkeys_come_from_this_host_and_hold_no_code_in_the_page(member: User) -> None:
    page = reauthenticated(member).get(f"/en{reverse('mfa_add_webauthn')[3:]}").content.decode()
    scripts = re.findall(r"<script([^>]*)>", page)
    assert scripts
    assert all(
        'src="/static/' in attributes or 'type="application/json"' in attributes
        for attributes in scripts
    )


@pytest.mark.django_db
@pytest.mark.parametrize("is_demo", [True, False])
def test_the_second_step_of_signing_in_shows_the_code_only_in_the_demo(
    client, settings, clock, is_demo
):
    settings.DEMO = True
    user, code = factories.user("big@example.org"), code_for("big@example.org")
    factories.authenticator_app(user)
    settings.DEMO = is_demo

    page = client.post(
        "/en/account/login/", {"login": user.email, "password": factories.PASSWORD}, follow=True
    )

    assert "Second step" in page.content.decode()
    assert (code in page.content.decode()) is is_demo
