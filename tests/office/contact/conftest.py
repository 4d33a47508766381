import email
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage

import pytest

from tests.office.contact import sink as smtp_sink


@pytest.fixture
def sink(settings) -> Iterator[smtp_sink.Sink]:
    """A mail server that keeps what it is given."""
    with smtp_sink.listening() as server:
        settings.EMAIL_BACKEND = "pergioco.core.mail.QueueBackend"
        settings.BROKER_URL = ""
        settings.MAIL_TRANSPORT = "smtp"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = (
            "127.0.0.1",
            server.port,
            False,
        )
        yield server


def opened(delivered: smtp_sink.Delivered) -> EmailMessage:
    return email.message_from_bytes(delivered.content, policy=policy.default)
