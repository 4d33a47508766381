"""Who has a copy of the database can make no code of a second factor; a new key of the portal takes
none away."""

import time
from base64 import b32decode

import pytest
from allauth.mfa.models import Authenticator
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from tests import factories

pytestmark = pytest.mark.django_db
ANOTHER = "another key that is long enough to be one of the portal " * 2


@pytest.fixture
def secret() -> str:
    return factories.SECRET


@pytest.fixture
def app(secret) -> Authenticator:
    return factories.authenticator_app(factories.user(), secret)


def opens(app: Authenticator, secret: str) -> bool:
    """Read from the database like the next request."""
    code = TOTP(b32decode(secret), 6, SHA1(), 30).generate(int(time.time())).decode()  # noqa: S303 - RFC 6238
    return bool(Authenticator.objects.get(pk=app.pk).wrap().validate_code(code))


def test_the_key_of_the_app_does_not_stand_in_the_database_and_its_code_opens(app, secret):
    assert secret not in str(Authenticator.objects.values("data").get())
    assert opens(app, secret)


def test_from_what_stands_in_the_database_no_recovery_code_can_be_worked_out():
    codes = factories.recovery_codes(factories.user()).wrap()
    kept = Authenticator(type="recovery_codes", data={**codes.instance.data}).wrap()
    kept.instance.data["seed"] = kept.instance.data["seed"].removeprefix("fernet:")
    assert set(kept.generate_codes()).isdisjoint(codes.generate_codes())
    assert [codes.validate_code(codes.generate_codes()[0]) for _ in range(2)] == [True, False]


def test_what_was_kept_before_still_opens_and_is_encrypted_by_the_command(app, secret, capsys):
    Authenticator.objects.update(data={"secret": secret})
    assert opens(app, secret)
    call_command("renew_second_factors")
    assert capsys.readouterr().out == "1 encrypted with the key of today.\n"
    assert secret not in str(Authenticator.objects.values("data").get())


def test_a_new_key_of_the_portal_takes_no_factor_away(app, secret, settings):
    settings.FORMER_SECRET_KEY, settings.SECRET_KEY = settings.SECRET_KEY, ANOTHER
    call_command("renew_second_factors")
    settings.FORMER_SECRET_KEY = ""
    assert opens(app, secret)


def test_without_the_former_key_nothing_opens_and_the_log_says_what_to_do(app, secret, settings):
    settings.SECRET_KEY = ANOTHER
    with pytest.raises(ImproperlyConfigured, match="renew_second_factors"):
        opens(app, secret)


def test_what_was_changed_in_the_database_opens_nothing(app, secret):
    kept = app.data["secret"]
    Authenticator.objects.update(data={"secret": kept[:-6] + kept[-6:].swapcase()})
    with pytest.raises(ImproperlyConfigured):
        opens(app, secret)
