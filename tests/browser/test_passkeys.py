"""A passkey, from a key that the browser plays: added, used instead of the password, renamed,
removed."""

import pytest
from allauth.mfa.models import Authenticator

from tests.browser.axe import problems
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("demo_portal")]
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def plug_in(visitor: Visitor) -> None:
    def act(page) -> None:
        protocol = page.context.new_cdp_session(page)
        protocol.send("WebAuthn.enable")
        protocol.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})

    visitor.do(act)


def test_added_used_instead_of_the_password_renamed_and_removed(visit):
    visitor = visit(as_user="player@example.org")
    plug_in(visitor)

    visitor.open("mfa_add_webauthn")
    visitor.do(lambda page: page.fill("[name=name]", "My phone"))
    visitor.do(lambda page: page.check("[name=passwordless]"))
    visitor.press("#passkey_add")
    key = Authenticator.objects.get(user__email="player@example.org", type="webauthn")
    assert str(key) == "My phone"

    for page in ("mfa_edit_webauthn", "mfa_remove_webauthn"):
        assert visitor.open(page, key.pk) == 200
        assert problems(visitor) == []
    assert visitor.open("mfa_reauthenticate_webauthn") == 200
    assert problems(visitor) == []

    visitor.do(lambda page: page.context.clear_cookies())
    visitor.open("account_login")
    visitor.press("#passkey_login")
    assert "Marta Rossi" in visitor.text()

    visitor.open("mfa_edit_webauthn", key.pk)
    assert visitor.path == "/en/account/reauthenticate/"
    visitor.press("main a[href*='/2fa/webauthn/reauthenticate/']")
    visitor.press("main form .button >> nth=0")
    visitor.do(lambda page: page.fill("[name=name]", "Old phone"))
    visitor.press("main form .button >> nth=0")
    assert str(Authenticator.objects.get(pk=key.pk)) == "Old phone"

    visitor.open("mfa_remove_webauthn", key.pk)
    visitor.press("main form .button >> nth=0")
    assert not Authenticator.objects.filter(pk=key.pk).exists()
