"""SMTP with a time limit for each command as a whole, however slowly the answer drips in."""

import io
import smtplib
from time import monotonic
from typing import Any

from django.core.mail.backends import smtp

from pergioco.core.fetcher import seconds_left

# The answer to the text itself: many servers look for spam before they give it. A mail given up too
# early would arrive twice.
SECONDS_AFTER_TEXT = 20.0
TEXT_FOLLOWS = 354


class AnswerReader(io.RawIOBase):
    def __init__(self, connection: "BoundedSMTP") -> None:
        self.connection = connection

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        wire: Any = self.connection.sock
        wire.settimeout(seconds_left(self.connection.deadline))
        return int(wire.recv_into(buffer))


class BoundedSMTP(smtplib.SMTP):
    deadline = 0.0
    is_text_sent = False

    def getreply(self) -> tuple[int, bytes]:
        if self.file is None and self.sock is not None:
            self.file = io.BufferedReader(AnswerReader(self))
        seconds = SECONDS_AFTER_TEXT if self.is_text_sent else self.timeout
        self.deadline = monotonic() + seconds
        code, text = super().getreply()
        self.is_text_sent = code == TEXT_FOLLOWS
        if self.sock is not None:
            self.sock.settimeout(self.timeout)
        return code, text


class EmailBackend(smtp.EmailBackend):
    connection_class = BoundedSMTP
