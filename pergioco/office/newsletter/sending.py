"""Sends newsletters: one job a recipient, with consent and address checked at that moment.

After a crash another worker sends the mail again once the lease of its job has ended, under the
same Message-ID. No recipient is left out; only the mail under way at the crash may arrive twice."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from smtplib import SMTPRecipientsRefused
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from pergioco.core import audit, jobs, mail
from pergioco.core.database import lock_row
from pergioco.core.models import Job
from pergioco.office.models import Bounce, Campaign, Delivery, Happening
from pergioco.office.newsletter import recipients
from pergioco.office.newsletter.recipients import find_reader, subscribers
from pergioco.office.newsletter.rendering import Edition, render_copy
from pergioco.publishing import published

logger = logging.getLogger(__name__)
DELIVER = jobs.declare("newsletter.deliver")
State = Campaign.State
WHILE_UNREACHABLE = timedelta(seconds=15)


def send_due_newsletters() -> None:
    """The periodic task: begins due newsletters, finishes sent ones."""
    for campaign in Campaign.objects.filter(state=State.HELD, leaves_at__lte=timezone.now()):
        begin_sending(campaign)
    finish_sent_newsletters()


@transaction.atomic
def begin_sending(campaign: Campaign) -> None:
    # After a stop it goes on with the same recipients and the same publication.
    row = lock_row(campaign)
    if row.state != State.HELD or row.leaves_at is None or row.leaves_at > timezone.now():
        return
    if not row.has_begun:
        version = published.latest_version()
        row.publication, row.begun_at = version.publication if version else None, timezone.now()
        add_recipients(row)
    row.state = State.SENDING
    row.save(update_fields=["state", "publication", "begun_at"])
    enqueue_deliveries(row)
    audit.record("newsletter.leaving", row, by=None)


def add_recipients(campaign: Campaign) -> None:
    host = settings.PUBLIC_URL.hostname
    Delivery.objects.bulk_create(
        (
            Delivery(campaign=campaign, player=player, message_id=f"<{uuid4()}@{host}>")
            for player in subscribers().order_by("pk").only("pk").iterator()
        ),
        batch_size=500,
        ignore_conflicts=True,
    )


def enqueue_deliveries(campaign: Campaign) -> None:
    # Replaces the jobs that were still queued when it was stopped.
    Job.objects.filter(
        kind=DELIVER, state=Job.State.QUEUED, arguments__campaign=campaign.pk
    ).delete()
    waiting = campaign.deliveries.waiting().order_by("pk").values_list("pk", flat=True)
    jobs.enqueue_many(DELIVER, ({"campaign": campaign.pk, "delivery": pk} for pk in waiting))


class SmtpConnection:
    """One connection for many mails with SMTP; other transports take each mail by itself."""

    def __init__(self) -> None:
        self.transport: Any = None

    def send(self, raw: bytes, address: str) -> None:
        if self.transport is None or settings.MAIL_TRANSPORT != "smtp":
            self.transport = mail.open_transport()
            self.open()
        self.transport.send_messages([mail.StoredEmail(raw, address)])

    def open(self) -> None:
        mail.connect(self.transport)

    def close(self) -> None:
        if self.transport is not None:
            self.transport.close()
        self.transport = None


class Editions(dict[tuple[int, str], Edition]):
    """(newsletter, language) -> edition, rendered at its first use."""

    def __missing__(self, key: tuple[int, str]) -> Edition:
        number, language = key
        campaign = Campaign.objects.select_related("publication__season").get(pk=number)
        self[key] = Edition(campaign, render_copy(campaign, language), language)
        return self[key]


class Pass(threading.local):
    """Shared by the mails of one pass of a worker; one for each thread."""

    def __init__(self) -> None:
        self.connection, self.editions = SmtpConnection(), Editions()


current = Pass()


def deliver_newsletter(*, campaign: int, delivery: int) -> Callable[[], None] | None:
    """The job. Does nothing while the newsletter is stopped."""
    rows = Delivery.objects.waiting().filter(pk=delivery, campaign__state=State.SENDING)
    row = rows.select_related("player").first()
    if row is None:
        return None
    to = find_reader(subscribers(), row.player_id)
    if to is None:
        return partial(tick_off, row, Delivery.State.SKIPPED)
    letter = current.editions[campaign, to.language].mail_for(row, to.address)
    try:
        with mail.mail_server():
            current.connection.send(letter, to.address)
    except jobs.Postponed:
        current.connection.close()
        raise
    except mail.UNREACHABLE as gone:
        logger.warning(
            "mail server unreachable, newsletter %s waits: %s", campaign, type(gone).__name__
        )
        current.connection.close()
        raise jobs.Postponed(WHILE_UNREACHABLE, whole_kind=True) from gone
    except SMTPRecipientsRefused as refused:
        if not mail.is_permanent(refused):
            raise
        return partial(note_refusal, row, to.address)
    return partial(tick_off, row, Delivery.State.SENT)


def note_refusal(row: Delivery, address: str) -> None:
    recipients.note_bounce(row.player, address)
    tick_off(row, Delivery.State.REFUSED)


def tick_off(row: Delivery, state: str) -> None:
    Delivery.objects.filter(pk=row.pk).waiting().update(state=state, at=timezone.now())


def note_failure(*, campaign: int, delivery: int) -> None:
    """Called after the last attempt."""
    Delivery.objects.filter(pk=delivery).waiting().update(
        state=Delivery.State.FAILED, at=timezone.now()
    )


def end_pass() -> None:
    current.connection.close()
    current.editions.clear()
    finish_sent_newsletters()


def finish_sent_newsletters() -> None:
    leaving = Campaign.objects.filter(state=State.SENDING)
    for campaign in leaving.exclude(deliveries__state=Delivery.State.WAITING):
        finish_newsletter(campaign)


@transaction.atomic
def finish_newsletter(campaign: Campaign) -> None:
    row = lock_row(campaign)
    if row.state != State.SENDING or row.deliveries.waiting().exists():
        return
    row.state, row.ended_at, row.version = State.SENT, timezone.now(), row.version + 1
    row.save(update_fields=["state", "ended_at", "version"])
    audit.record("newsletter.sent", row, by=None)


DELIVERIES_KEPT = timedelta(days=365)
NOTICES_KEPT = timedelta(days=30)  # longer than what is looked back at for news


def delete_old_mail_records() -> None:
    # Deliveries, bounces and notices go; the newsletters themselves stay.
    now = timezone.now()
    over = Campaign.objects.filter(begun_at__lt=now - DELIVERIES_KEPT).exclude(
        state=Campaign.State.SENDING
    )
    Delivery.objects.filter(campaign__in=over).delete()
    Bounce.objects.filter(at__lt=now - DELIVERIES_KEPT).delete()
    Happening.objects.filter(found_at__lt=now - NOTICES_KEPT).delete()
