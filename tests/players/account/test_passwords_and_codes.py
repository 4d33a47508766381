"""Passwords as they are typed, codes that open once, and no way around the second factor."""

import re
import time
from base64 import b32decode
from datetime import timedelta

import pytest
from allauth.account.models import EmailConfirmationHMAC
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from pergioco.players import sign_in
from tests import factories
from tests.conftest import reauthenticated, signed_in

pytestmark = pytest.mark.django_db
LOGIN, SECOND, PAGE = "/en/account/login/", "/en/account/2fa/authenticate/", "/en/me/"
NEW = "quarantadue torri di legno"
CHANGES = {
    "/en/account/email/": {"action_add": "", "email": "new@example.org"},
    "/en/account/2fa/totp/activate/": {"code": "000000"},
    "/en/account/2fa/totp/deactivate/": {},
    "/en/account/2fa/recovery-codes/generate/": {},
    "/en/account/2fa/webauthn/add/": {},
    "/en/account/sessions/": {},
}


@pytest.fixture
def user():
    return factories.user("marta@example.org")


def opens(user, password: str, **more: str) -> bool:
    return (
        Client().post(LOGIN, {"login": user.email, "password": password, **more}).status_code == 302
    )


def code(seconds: int = 0) -> str:
    app = TOTP(b32decode(factories.SECRET), 6, SHA1(), 30)  # noqa: S303 - RFC 6238
    return app.generate(int(time.time()) + seconds).decode()


def enter(user, code: str) -> bool:
    client = Client()
    client.post(LOGIN, {"login": user.email, "password": factories.PASSWORD})
    client.post(SECOND, {"code": code})
    return client.get(PAGE).status_code == 200


@pytest.mark.parametrize(
    "password",
    ["  spazi ai lati qui  ", "lunga frase di molte parole " * 8 + "fine", "Aa Bb Cc Dd Ee"],
)
def test_a_password_counts_as_it_was_typed_to_its_last_sign(user, password):
    user.set_password(password)
    user.save()
    assert opens(user, password)
    for near in (password.strip(), password.swapcase(), password[:-1], password + " "):
        assert near == password or not opens(user, near), near


def test_a_password_is_kept_as_it_was_typed_into_the_form(user):
    new = "  spazi ai lati qui  "
    typed = {"oldpassword": factories.PASSWORD, "password1": new, "password2": new}
    reauthenticated(user).post("/en/account/password/change/", typed)
    user.refresh_from_db()
    assert (user.check_password(new), user.check_password(new.strip())) == (True, False)


def test_a_password_does_not_end_with_time(user, clock):
    clock.shift(timedelta(days=4000))
    assert opens(user, factories.PASSWORD)


def test_boxes_for_passwords_hide_them_and_take_what_a_manager_pastes(user):
    pages = [Client().get(LOGIN), Client().get("/en/register/")]
    pages.append(signed_in(user).get("/en/account/password/change/"))
    boxes = [
        box
        for page in pages
        for box in re.findall(r"<input[^>]*name=\"\w*password\d?\"[^>]*>", page.content.decode())
    ]
    assert len(boxes) >= 4
    for box in boxes:
        assert 'type="password"' in box
        assert re.search(r'autocomplete="(?:current|new)-password"', box), box
        assert not re.search(r"onpaste|maxlength", box)


def test_no_hint_and_no_secret_question_is_kept():
    fields = {field.name for field in get_user_model()._meta.get_fields()}
    assert {name for name in fields if re.search("hint|question|answer|secret", name)} == set()


def test_a_code_of_the_app_opens_once_and_for_half_a_minute(user, clock):
    factories.authenticator_app(user)
    assert [enter(user, code(-60)), enter(user, code(-30)), enter(user, code())] == [
        False,
        False,
        True,
    ]
    assert enter(user, code()) is False  # the same one again


def test_a_code_without_the_password_before_it_opens_nothing(user):
    factories.authenticator_app(user)
    client = Client()
    answer = client.post(SECOND, {"code": code()})
    assert answer.url.startswith(LOGIN)
    assert client.get(PAGE).status_code == 302


def test_what_makes_codes_is_random_and_long(user):
    client = reauthenticated(user)
    secrets = {
        client.get("/en/account/2fa/totp/activate/").context["form"].secret for _ in range(2)
    }
    assert min(len(b32decode(secret)) for secret in secrets) >= 20
    seeds = {sign_in.MfaAdapter().decrypt(made_seed(factories.user())) for _ in range(2)}
    assert len(seeds) == 2
    assert min(len(bytes.fromhex(seed)) for seed in seeds) >= 20


def made_seed(user) -> str:
    codes = RecoveryCodes.activate(user)
    assert all(re.fullmatch(r"[0-9]{8}", one) for one in codes.generate_codes())
    return codes.instance.data["seed"]


@pytest.mark.parametrize("with_app", [True, False])
def test_a_new_password_by_mail_ends_all_sessions_and_does_not_pass_the_second_factor(
    user, mailoutbox, with_app
):
    if with_app:
        factories.authenticator_app(user)
    elsewhere, client = signed_in(user), Client()
    assert elsewhere.get(PAGE).status_code == 200
    link = reset_link(client, user, mailoutbox)
    form = client.get(link).headers["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    assert [one.get(PAGE).status_code for one in (client, elsewhere)] == [302, 302]
    user.refresh_from_db()
    assert user.check_password(NEW)
    assert Client().get(link).status_code == 200  # used: it says so, and leads to no form
    after = client.post(LOGIN, {"login": user.email, "password": NEW})
    assert after.url == (SECOND if with_app else PAGE)


def reset_link(client: Client, user, mailoutbox) -> str:
    client.post("/en/account/password/reset/", {"email": user.email})
    return re.search(r"/en/account/password/reset/key/\S+", mailoutbox[-1].body)[0]


def test_the_link_for_a_new_password_ends(user, mailoutbox, clock):
    link = reset_link(Client(), user, mailoutbox)
    clock.shift(timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT + 1))
    assert Client().get(link).status_code == 200
    assert settings.PASSWORD_RESET_TIMEOUT <= 3 * 24 * 3600


@pytest.mark.parametrize("path", CHANGES)
def test_what_one_signs_in_with_is_changed_after_the_password_is_typed_again(user, path):
    if "deactivate" in path:
        factories.authenticator_app(user)
    answer = signed_in(user).post(path, CHANGES[path])
    assert answer.status_code == 302
    assert re.match(r"/en/account/(?:2fa/)?reauthenticate/\?next=", answer.url)


@pytest.mark.parametrize(("days", "confirms"), [(13, True), (15, False)])
def test_the_link_that_confirms_an_address_ends_and_signs_no_other_browser_in(
    clock, days, confirms
):
    address = factories.user(verified=False).emailaddress_set.get()
    key = EmailConfirmationHMAC.create(address).key
    clock.shift(timedelta(days=days))
    elsewhere = Client()
    elsewhere.get(f"/en/account/confirm-email/{key}/")
    address.refresh_from_db()
    assert address.verified is False  # opening the link is not enough: programs open links, too
    elsewhere.post(f"/en/account/confirm-email/{key}/")
    address.refresh_from_db()
    assert address.verified is confirms
    assert elsewhere.get(PAGE).status_code == 302


def test_there_are_two_ways_to_sign_in(user):
    """Password and passkey; the API knows no logins, and a code by mail is not one of them."""
    answer = Client().post("/en/account/login/code/confirm/", {"code": "ABC123"})
    assert answer.status_code in {302, 404}
    basic = {"authorization": "Basic bWFydGFAZXhhbXBsZS5vcmc6eA=="}
    assert Client().get(PAGE, headers=basic).status_code == 302
    assert settings.REST_FRAMEWORK["DEFAULT_AUTHENTICATION_CLASSES"] == []
    assert settings.AUTHENTICATION_BACKENDS == [
        "allauth.account.auth_backends.AuthenticationBackend"
    ]
