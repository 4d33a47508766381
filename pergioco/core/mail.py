"""Outgoing mail: queued in the transaction that causes it, sent after it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes, policy
from email.utils import make_msgid, parseaddr
from pathlib import Path
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPServerDisconnected
from ssl import SSLError
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from pergioco.core import breaker, jobs, limits
from pergioco.core.models import OutgoingMail

SEND = jobs.declare("mail.send")
KEEP_SENT_FOR = timedelta(days=30)
PERMANENT_FAILURE = 500  # SMTP: from here on, trying again is pointless
TRANSPORTS = {
    "smtp": "pergioco.core.smtp.EmailBackend",
    "file": "django.core.mail.backends.filebased.EmailBackend",
    "console": "django.core.mail.backends.console.EmailBackend",
}
SERVER = "mail"  # the name of its circuit breaker
UNREACHABLE = (SMTPServerDisconnected, ConnectionError, TimeoutError, SSLError)
# Mail that anybody can cause, to one address. One of them is for a new password: strangers who use
# up the others, and the tries of a login, do not lock its owner out.
FOR_STRANGERS, BUT_FOR_PASSWORDS = "3/d/key", "2/d/key"


def may_write_for_stranger(address: str, *, new_password: bool = False) -> bool:
    """Counts the mail. Forms call it before they write to an address that they were given."""
    mailbox = address.strip().lower()
    if not new_password and not limits.count("other-mail", BUT_FOR_PASSWORDS, mailbox):
        return False
    return limits.count("mail", FOR_STRANGERS, mailbox)


class QueueBackend(BaseEmailBackend):
    """Django's mail functions write to the queue; `send_queued_mail` delivers."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        with transaction.atomic():
            for message in email_messages:
                queue_message(message)
        return len(email_messages)


def queue_message(message: EmailMessage) -> None:
    # One row a recipient, so that one bad address does not block the others. `message()`
    # refuses forged headers
    for recipient in message.recipients():
        message.extra_headers["Message-ID"] = make_msgid(domain=settings.PUBLIC_URL.hostname)
        mail = OutgoingMail.objects.create(
            message_id=message.extra_headers["Message-ID"],
            recipient=parseaddr(recipient)[1],
            raw=message.message().as_bytes(),
        )
        jobs.enqueue(SEND, mail=mail.pk)


class StoredMessage:
    """What Django's mail backends need of a message: the stored bytes, unchanged."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def as_bytes(self, linesep: str = "\n") -> bytes:
        return self.raw.replace(b"\n", linesep.encode())

    def get_charset(self) -> None:
        return None


class StoredEmail(EmailMessage):
    def __init__(self, raw: bytes, recipient: str) -> None:
        self.kept = StoredMessage(raw)
        sender = message_from_bytes(raw, policy=policy.default)["From"].addresses[0].addr_spec
        super().__init__(to=[recipient], from_email=sender)

    def message(self, **_: object) -> Any:
        return self.kept


def send_queued_mail(mail: int) -> None:
    """Sends once: a second run finds the row closed. The text is deleted after sending."""
    row = OutgoingMail.objects.get(pk=mail)
    if row.closed_at is not None:
        return
    transport = open_transport()
    try:
        with mail_server():
            connect(transport)
            transport.send_messages([StoredEmail(bytes(row.raw), row.recipient)])
    except SMTPRecipientsRefused as refused:
        if not is_permanent(refused):
            raise
        close_mail(row, refused=True)
    else:
        close_mail(row)
    finally:
        transport.close()


def may_hang() -> bool:
    return settings.MAIL_TRANSPORT == "smtp"


@contextmanager
def mail_server() -> Iterator[None]:
    """While the server is left alone, jobs that need it wait together and use up no attempts."""
    if not may_hang():
        yield
        return
    try:
        with breaker.guard(SERVER, UNREACHABLE):
            yield
    except breaker.Open as left_alone:
        raise jobs.Postponed(left_alone.pause, whole_kind=True) from left_alone


def connect(transport: Any) -> None:
    # A server that refuses the connection or the login says nothing about any mail
    if not may_hang():
        return
    try:
        transport.open()
    except UNREACHABLE:
        raise
    except (SMTPException, OSError) as turned_away:
        raise ConnectionError from turned_away


def open_transport() -> Any:
    options: dict[str, Any] = (
        {"file_path": settings.MAIL_FOLDER} if settings.MAIL_TRANSPORT == "file" else {}
    )
    return get_connection(TRANSPORTS[settings.MAIL_TRANSPORT], **options)


def is_permanent(refused: SMTPRecipientsRefused) -> bool:
    return all(code >= PERMANENT_FAILURE for code, _answer in refused.recipients.values())


def close_mail(row: OutgoingMail, *, refused: bool = False) -> None:
    OutgoingMail.objects.filter(pk=row.pk).update(
        closed_at=timezone.now(), refused=refused, raw=b"", recipient=""
    )


def forget_recipient(address: str) -> None:
    """Drops queued mail to an erased person, and delivered mail of the file transport."""
    for row in OutgoingMail.objects.filter(recipient__iexact=address, closed_at=None):
        close_mail(row)
    if settings.MAIL_TRANSPORT == "file":
        for file in Path(settings.MAIL_FOLDER).glob("*"):
            if address.lower().encode() in file.read_bytes().lower():
                file.unlink()


def delete_sent_mail() -> None:
    OutgoingMail.objects.filter(closed_at__lt=timezone.now() - KEEP_SENT_FOR).delete()
