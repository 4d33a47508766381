"""Sending, in the background, in batches: each mail is taken hold of, sent and ticked off by itself.

Whatever crashes, a mail that was not ticked off is taken up again once its hold has ended, under the same number.
So nobody is left out, and nobody gets another mail than one that was on its way when something crashed.
"""

import logging
from datetime import timedelta
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPServerDisconnected
from socket import gaierror
from time import monotonic
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from pergioco.contact import mail
from pergioco.contact.newsletter import bounces
from pergioco.contact.newsletter.copying import copy_of
from pergioco.contact.newsletter.letter import Edition
from pergioco.contact.newsletter.models import Campaign, Delivery
from pergioco.contact.newsletter.writing import locked
from pergioco.contact.reaching import reader, subscribers
from pergioco.ledger import published
from pergioco.players import audit

logger = logging.getLogger(__name__)
State = Campaign.State
HELD_FOR = timedelta(minutes=5)  # longer than a worker may run
LONGEST_ROUND = 60.0  # seconds: other rounds wait for this one where nobody else does them
MOST_TRIES = 6
AT_ONCE = 50
UNREACHABLE = (SMTPServerDisconnected, ConnectionError, TimeoutError, gaierror)


def send_due() -> None:
    """The round: begins what is due, goes on with what is leaving."""
    for campaign in Campaign.objects.filter(state=State.HELD, leaves_at__lte=timezone.now()):
        begin(campaign)
    for campaign in Campaign.objects.filter(state=State.SENDING).select_related("publication__season"):
        send_some(campaign)


@transaction.atomic
def begin(campaign: Campaign) -> None:
    """One row for each person who wants it. One that goes on after a stop keeps its rows and what it shows."""
    row = locked(campaign)
    if row.state != State.HELD or row.leaves_at is None or row.leaves_at > timezone.now():
        return
    if not row.has_begun:
        version = published.latest()
        row.publication, row.begun_at = version.publication if version else None, timezone.now()
        add_recipients(row)
    row.state = State.SENDING
    row.save(update_fields=["state", "publication", "begun_at"])
    audit.record("newsletter.leaving", row, by=None)


def add_recipients(campaign: Campaign) -> None:
    host, now = settings.PUBLIC_URL.hostname, timezone.now()
    Delivery.objects.bulk_create(
        (
            Delivery(campaign=campaign, player=player, message_id=f"<{uuid4()}@{host}>", not_before=now)
            for player in subscribers().order_by("pk").only("pk").iterator()
        ),
        batch_size=500,
        ignore_conflicts=True,
    )


def send_some(campaign: Campaign) -> None:
    """Until nothing is due, the time of a round is over, or the mail server is gone."""
    until, editions = monotonic() + LONGEST_ROUND, Editions(campaign)
    line = Line()
    try:
        while monotonic() < until and (row := take_hold(campaign)) is not None:
            if not send_one(row, editions, line):
                return
    finally:
        line.hang_up()
    finish(campaign)


class Line:
    """One connection for a whole round where the transport has any; a file or a screen takes each mail by itself."""

    def __init__(self) -> None:
        self.transport: Any = None

    def send(self, raw: bytes, address: str) -> None:
        if self.transport is None or settings.MAIL_TRANSPORT != "smtp":
            self.transport = mail.transport()
            self.dial()
        self.transport.send_messages([mail.Ready(raw, address)])

    def dial(self) -> None:
        """A server that turns us away says nothing about any mail."""
        try:
            if settings.MAIL_TRANSPORT == "smtp":
                self.transport.open()
        except SMTPException as turned_away:
            raise ConnectionError from turned_away

    def hang_up(self) -> None:
        if self.transport is not None:
            self.transport.close()


def take_hold(campaign: Campaign) -> Delivery | None:
    """One conditional UPDATE: of two workers one gets the row, and nobody gets one of what was just stopped."""
    while True:
        now = timezone.now()
        due = Delivery.objects.free(now).filter(campaign=campaign)
        near = list(due.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
        for pk in near:
            if Delivery.objects.free(now).filter(pk=pk).update(claimed_until=now + HELD_FOR):
                return Delivery.objects.select_related("player").get(pk=pk)
        if not near:
            return None


class Editions(dict[str, Edition]):
    """Language -> the newsletter in it, made when the first of its readers is written to."""

    def __init__(self, campaign: Campaign) -> None:
        super().__init__()
        self.campaign = campaign

    def __missing__(self, language: str) -> Edition:
        self[language] = Edition(self.campaign, copy_of(self.campaign, language), language)
        return self[language]


def send_one(row: Delivery, editions: Editions, line: Line) -> bool:
    """Whether the round goes on. Consent and address are those of this very moment."""
    to = reader(subscribers(), row.player_id)
    if to is None:
        tick_off(row, Delivery.State.SKIPPED)
        return True
    try:
        line.send(editions[to.language].mail_for(row, to.address), to.address)
    except UNREACHABLE as gone:
        logger.warning("mail server unreachable, newsletter %s waits: %s", row.campaign_id, type(gone).__name__)
        Delivery.objects.filter(pk=row.pk).waiting().update(claimed_until=None)
        return False
    except SMTPRecipientsRefused as refused:
        turned_away(row, to.address, refused)
    except SMTPException as trouble:
        put_off(row, trouble)
    else:
        tick_off(row, Delivery.State.SENT)
    return True


def turned_away(row: Delivery, address: str, refused: SMTPRecipientsRefused) -> None:
    if not mail.is_for_good(refused):
        put_off(row, refused)
        return
    bounces.note(row.player, address)
    tick_off(row, Delivery.State.REFUSED)


def tick_off(row: Delivery, state: str) -> None:
    mine = Delivery.objects.filter(pk=row.pk).waiting()
    mine.update(state=state, at=timezone.now(), claimed_until=None, tries=row.tries + 1)


def put_off(row: Delivery, trouble: Exception) -> None:
    """Tried again later, each time after twice as long. The log names no address."""
    logger.warning("mail %s of newsletter %s put off: %s", row.pk, row.campaign_id, type(trouble).__name__)
    if row.tries + 1 >= MOST_TRIES:
        tick_off(row, Delivery.State.FAILED)
        return
    later = timezone.now() + timedelta(minutes=2) * 2**row.tries
    Delivery.objects.filter(pk=row.pk).waiting().update(not_before=later, claimed_until=None, tries=row.tries + 1)


@transaction.atomic
def finish(campaign: Campaign) -> None:
    row = locked(campaign)
    if row.state != State.SENDING or row.deliveries.waiting().exists():
        return
    row.state, row.ended_at, row.version = State.SENT, timezone.now(), row.version + 1
    row.save(update_fields=["state", "ended_at", "version"])
    audit.record("newsletter.sent", row, by=None)
