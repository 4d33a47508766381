"""What no browser would send as a passkey is refused with a sentence, whatever it is."""

import base64
import json

import pytest
from django.test import Client

from tests import factories
from tests.conftest import reauthenticated

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
ADD, SIGN_IN = "/en/account/2fa/webauthn/add/", "/en/account/2fa/webauthn/login/"


def packed(what: bytes) -> str:
    return base64.urlsafe_b64encode(what).decode().rstrip("=")


def client_data(kind: str) -> str:
    return packed(
        json.dumps({"type": kind, "challenge": "AAAA", "origin": "http://testserver"}).encode()
    )


BYTES = dict.fromkeys(["attestationObject", "authenticatorData", "signature", "userHandle"], "AAAA")
GET = {
    **BYTES,
    "clientDataJSON": client_data("webauthn.get"),
    "authenticatorData": packed(bytes(37)),
}
SIGNED = {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": GET}
ODD = [
    *(
        "",
        "{",
        "null",
        "NaN",
        "1e999",
        "9" * 5000,
        "[" * 50_000,
        "[]",
        "{}",
        '"x"',
        '{"id": 1}',
        "\x00",
    ),
    *(
        json.dumps(SIGNED | change)
        for change in (
            {},
            {"id": "é", "rawId": "A"},
            {"type": "nothing"},
            {"response": []},
            {"response": {}},
            {"response": GET | {"clientDataJSON": 5}},
            {"response": GET | {"clientDataJSON": client_data("webauthn.create")}},
            {"response": GET | {"userHandle": None}},
            {"response": GET | {"userHandle": packed(b"\xff\x00")}},
            {"response": GET | {"userHandle": packed(b"z" * 40)}},
        )
    ),
]


@pytest.mark.parametrize("sent", ODD)
@pytest.mark.parametrize("page", [ADD, SIGN_IN])
def test_it_is_refused_and_nothing_breaks(page, sent):
    client = Client() if page == SIGN_IN else reauthenticated(factories.user())
    client.get(page)
    answer = client.post(page, {"name": "Phone", "credential": sent}, follow=True)
    assert answer.status_code == 200
    assert any(
        sentence in answer.content.decode()
        for sentence in ("Incorrect code.", "This field is required.")
    )
