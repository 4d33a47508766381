"""A second factor: why, how, and back to where one came from."""

import pytest
from allauth.mfa.models import Authenticator

from tests import factories
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
PAGE = "/en/me/two-factors/"


@pytest.fixture
def organizer_without():
    return factories.user_with_role("organizer", two_factors=False)


def switch_on(user) -> None:
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})


def test_the_page_names_the_role_that_needs_it(organizer_without):
    assert "organizer of PerGioco stages" in signed_in(organizer_without).get(PAGE).content.decode()


def test_for_a_player_it_is_a_free_choice(player_user):
    assert "For players it is a free choice." in signed_in(player_user).get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("way", "where"),
    [("app", "/en/account/2fa/totp/activate/"), ("passkey", "/en/account/2fa/webauthn/add/")],
)
def test_two_ways_to_set_it_up(organizer_without, way, where):
    assert signed_in(organizer_without).post(PAGE, {"way": way}).headers["Location"] == where


def test_afterwards_one_is_led_back_to_where_one_came_from(organizer_without):
    client = signed_in(organizer_without)
    turned_away = client.get("/en/staff/?sort=name").headers["Location"]
    page = client.get(turned_away).content.decode()
    assert '<input type="hidden" name="next" value="/en/staff/?sort=name">' in page
    client.post(PAGE, {"way": "app", "next": "/en/staff/?sort=name"})
    switch_on(organizer_without)
    link = f'<a href="{PAGE}">Back to where you came from</a>'
    assert link in client.get("/en/account/2fa/").content.decode()
    assert client.get(PAGE).headers["Location"] == "/en/staff/?sort=name"
    assert link not in client.get("/en/account/2fa/").content.decode()


@pytest.mark.parametrize(
    "hostile", ["https://evil.example/", "//evil.example", "javascript:alert(1)"]
)
def test_nobody_is_led_to_another_site(organizer_without, hostile):
    client = signed_in(organizer_without)
    client.post(PAGE, {"way": "app", "next": hostile})
    switch_on(organizer_without)
    assert client.get(PAGE).headers["Location"] == "/en/account/2fa/"


def test_looking_at_the_page_writes_nothing(organizer_without):
    client = signed_in(organizer_without)
    before = dict(client.session)
    client.get(f"{PAGE}?next=/en/staff/")
    assert dict(client.session) == before
