"""What second factors are made of lies encrypted in the database: whoever reads a copy of it can make no code of it."""

from base64 import urlsafe_b64encode

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.utils.crypto import salted_hmac

MARK = "fernet:"  # what was kept before has none, and is read as it is
KEPT = ("secret", "seed")  # of the app, of the recovery codes; a passkey has nothing to hide


class Adapter(DefaultMFAAdapter):
    def encrypt(self, text: str) -> str:
        return MARK + cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        if not encrypted_text.startswith(MARK):
            return encrypted_text
        try:
            return cipher().decrypt(encrypted_text.removeprefix(MARK)).decode()
        except InvalidToken as trouble:
            raise ImproperlyConfigured(
                "A second factor was encrypted with another PORTAL_SECRET_KEY. Write that one into "
                "PORTAL_FORMER_SECRET_KEY and run: python manage.py renew_second_factors"
            ) from trouble


def cipher() -> MultiFernet:
    """The first key encrypts, both read."""
    secrets = filter(None, (settings.SECRET_KEY, settings.FORMER_SECRET_KEY))
    return MultiFernet([Fernet(key_of(secret)) for secret in secrets])


def key_of(secret: str) -> bytes:
    """For this purpose only."""
    return urlsafe_b64encode(salted_hmac("pergioco.second_factors", "", secret=secret, algorithm="sha256").digest())


@transaction.atomic
def renew() -> int:
    """Everything with the key of today; how many."""
    adapter = Adapter()
    rows = [row for row in Authenticator.objects.select_for_update() if row.data.keys() & set(KEPT)]
    for row in rows:
        row.data |= {name: adapter.encrypt(adapter.decrypt(row.data[name])) for name in KEPT if name in row.data}
        row.save(update_fields=["data"])
    return len(rows)
