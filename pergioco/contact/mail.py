"""Mail leaves from the outbox: written in the transaction that causes it, sent after it."""

from collections.abc import Sequence
from datetime import timedelta
from email import message_from_bytes, policy
from email.utils import make_msgid, parseaddr
from pathlib import Path
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from pergioco.contact.models import OutgoingMail
from pergioco.ledger.outbox import promise

KEPT = timedelta(days=30)
PERMANENT = 500  # SMTP: from here on, trying again is pointless
TRANSPORTS = {
    "smtp": "django.core.mail.backends.smtp.EmailBackend",
    "file": "django.core.mail.backends.filebased.EmailBackend",
    "console": "django.core.mail.backends.console.EmailBackend",
}


class OutboxBackend(BaseEmailBackend):
    """Django's mail functions write here; `send` is the step that delivers."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        with transaction.atomic():
            for message in email_messages:
                keep(message)
        return len(email_messages)


def keep(message: EmailMessage) -> None:
    """One row for each recipient, so that one bad address holds up nobody else. `message()` refuses forged headers."""
    for recipient in message.recipients():
        message.extra_headers["Message-ID"] = make_msgid(domain=settings.PUBLIC_URL.hostname)
        mail = OutgoingMail.objects.create(
            message_id=message.extra_headers["Message-ID"],
            recipient=parseaddr(recipient)[1],
            raw=message.message().as_bytes(),
        )
        promise("mail.send", mail=mail.pk)


class Kept:
    """What a transport of Django's asks of a message: here, exactly the bytes that were kept."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def as_bytes(self, linesep: str = "\n") -> bytes:
        return self.raw.replace(b"\n", linesep.encode())

    def get_charset(self) -> None:
        return None


class Ready(EmailMessage):
    def __init__(self, raw: bytes, recipient: str) -> None:
        self.kept = Kept(raw)
        sender = message_from_bytes(raw, policy=policy.default)["From"].addresses[0].addr_spec
        super().__init__(to=[recipient], from_email=sender)

    def message(self, **_: object) -> Any:
        return self.kept


def send(mail: int) -> None:
    """Sends once; a second run finds the row closed. The text is destroyed as soon as it has left."""
    row = OutgoingMail.objects.get(pk=mail)
    if row.closed_at is not None:
        return
    try:
        transport().send_messages([Ready(bytes(row.raw), row.recipient)])
    except SMTPRecipientsRefused as refused:
        if not is_for_good(refused):
            raise
        close(row, refused=True)
    else:
        close(row)


def transport() -> Any:
    """One connection, or one file. It opens when the first mail leaves."""
    options: dict[str, Any] = {"file_path": settings.MAIL_FOLDER} if settings.MAIL_TRANSPORT == "file" else {}
    return get_connection(TRANSPORTS[settings.MAIL_TRANSPORT], **options)


def is_for_good(refused: SMTPRecipientsRefused) -> bool:
    return all(code >= PERMANENT for code, _answer in refused.recipients.values())


def close(row: OutgoingMail, *, refused: bool = False) -> None:
    OutgoingMail.objects.filter(pk=row.pk).update(closed_at=timezone.now(), refused=refused, raw=b"", recipient="")


def forget(address: str) -> None:
    """An erased person gets none of the mail that still waits; a file transport gives back what it delivered."""
    for row in OutgoingMail.objects.filter(recipient__iexact=address, closed_at=None):
        close(row)
    if settings.MAIL_TRANSPORT == "file":
        for file in Path(settings.MAIL_FOLDER).glob("*"):
            if address.lower().encode() in file.read_bytes().lower():
                file.unlink()


def forget_sent() -> None:
    OutgoingMail.objects.filter(closed_at__lt=timezone.now() - KEPT).delete()
