import email
from collections.abc import Iterator
from dataclasses import replace
from email import policy
from email.message import EmailMessage

import pytest

from pergioco.core import jobs, mail
from tests.office.contact import sink as smtp_sink


@pytest.fixture
def sends_at_once(monkeypatch) -> None:
    """A request never waits for a mail server. These mails leave with it all the same, so that a
    test need not run a worker each time."""
    kind = replace(jobs.kinds[mail.SEND], may_hang=jobs.never)
    monkeypatch.setitem(jobs.kinds, mail.SEND, kind)


@pytest.fixture
def sink(settings, sends_at_once) -> Iterator[smtp_sink.Sink]:
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
