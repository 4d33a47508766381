"""Every command to a mail server has its time as a whole, however slowly the answer drips in."""

import smtplib
import time

import pytest

from pergioco.core import smtp
from tests.core.silence import silent_server

SECONDS, DRIP = 0.4, 0.1
HELLO = [b"220 here\r\n", b"250 hello\r\n"]
TO_THE_TEXT = [*HELLO, b"250 ok\r\n", b"250 ok\r\n", b"354 go on\r\n"]


def send_mail(connection_class: type[smtplib.SMTP], port: int) -> None:
    with connection_class("127.0.0.1", port, timeout=SECONDS) as connection:
        connection.sendmail("p@example.org", ["m@example.org"], "Text")


@pytest.mark.parametrize("drips", [0, DRIP], ids=["silent", "dripping"])
@pytest.mark.parametrize("says", [[], HELLO[:1], HELLO], ids=["greeting", "hello", "sender"])
def test_a_command_without_an_answer_is_given_up_in_time(says, drips):
    with silent_server(says, drips=drips) as server:
        begun = time.monotonic()
        with pytest.raises((smtplib.SMTPServerDisconnected, TimeoutError)):
            send_mail(smtp.BoundedSMTP, server.port)
        assert SECONDS <= time.monotonic() - begun < 2 * SECONDS + 1


def test_control_the_standard_library_waits_as_long_as_something_drips(monkeypatch):
    monkeypatch.setattr(smtplib, "_MAXLINE", 12)  # so that it ends at all: the line is too long
    with silent_server(drips=DRIP) as server:
        begun = time.monotonic()
        with pytest.raises(smtplib.SMTPResponseException):
            send_mail(smtplib.SMTP, server.port)
        assert time.monotonic() - begun > 2 * SECONDS


def test_after_the_text_a_server_may_take_its_time(monkeypatch):
    monkeypatch.setattr(smtp, "SECONDS_AFTER_TEXT", 3 * SECONDS)
    with silent_server(TO_THE_TEXT) as server:
        begun = time.monotonic()
        with pytest.raises(smtplib.SMTPServerDisconnected):
            send_mail(smtp.BoundedSMTP, server.port)
        assert 3 * SECONDS <= time.monotonic() - begun < 4 * SECONDS + 1
