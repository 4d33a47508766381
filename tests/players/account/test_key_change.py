"""The key of the portal is changed as `docs/operations.md` says: with the former one named nothing
ends; after a leak everything that it signed ends, and second factors stay."""

import pytest
from django.core.management import call_command

from pergioco.core.signed_links import LinkSigner
from pergioco.players.services import calendar_links
from tests import factories
from tests.conftest import signed_in
from tests.players.account.test_factor_secrets import opens

pytestmark = pytest.mark.django_db
NEW = "a new key of the portal that is long enough to be one " * 2
SALT = "pergioco.players.calendar_links"


@pytest.fixture
def change_key(settings, monkeypatch):
    def change(**former):
        """Like a process that starts with these settings."""
        for name, value in former.items():
            setattr(settings, name, value)
        settings.SECRET_KEY = NEW
        monkeypatch.setattr(calendar_links, "signer", LinkSigner(SALT))

    return change


@pytest.fixture
def before():
    """What depends on the key of before: a session, an address in calendars, a second factor."""
    player = factories.registered()
    user = player.person.user
    link = calendar_links.make_calendar_link(player, by=user)
    token = calendar_links.sign_calendar_link(link)
    return signed_in(user), token, factories.authenticator_app(user)


def is_signed_in(client) -> bool:
    return client.get("/it/me/").status_code == 200


def test_with_the_former_key_named_no_session_link_or_factor_ends(before, settings, change_key):
    client, token, app = before
    change_key(SECRET_KEY_FALLBACKS=[settings.SECRET_KEY])
    assert calendar_links.find_player_by_calendar_token(token) is not None
    assert is_signed_in(client)
    call_command("renew_second_factors")
    # When it is no longer named: who was there meanwhile goes on, what it signed ends.
    change_key(SECRET_KEY_FALLBACKS=[])
    assert (is_signed_in(client), opens(app, factories.SECRET)) == (True, True)
    assert calendar_links.find_player_by_calendar_token(token) is None


def test_a_key_that_leaked_signs_nothing_any_more_and_no_factor_is_lost(
    before, settings, change_key
):
    client, token, app = before
    change_key(FORMER_SECRET_KEY=settings.SECRET_KEY)
    assert calendar_links.find_player_by_calendar_token(token) is None
    assert not is_signed_in(client)
    call_command("renew_second_factors")
    change_key(FORMER_SECRET_KEY="")
    assert opens(app, factories.SECRET)
