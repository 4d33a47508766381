"""Mail is written with the change that causes it, leaves after it, once for each address, and is
not lost."""

import logging
import re
from datetime import timedelta

import pytest
from django.core import mail as django_mail
from django.core.mail import BadHeaderError, EmailMessage, EmailMultiAlternatives
from django.db import transaction

from pergioco.core import jobs, mail
from pergioco.core.models import Job, OutgoingMail
from tests.office.contact import sink as smtp_sink
from tests.office.contact.conftest import opened
from tests.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "https://portal.example.org/reset/one-time-key/"


@pytest.fixture(autouse=True)
def _through_the_outbox(settings) -> None:
    settings.EMAIL_BACKEND = "pergioco.core.mail.QueueBackend"
    settings.BROKER_URL = ""


@pytest.fixture
def no_server(settings, sends_at_once) -> None:
    settings.MAIL_TRANSPORT = "smtp"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = (
        "127.0.0.1",
        free_port(),
        False,
    )


def write(*to: str, **fields) -> None:
    values = {
        "subject": "Ciao, è fatta",
        "body": f"Apri {SECRET}\n.\nÈ tutto.",
        "from_email": "Portale <p@x.org>",
    }
    EmailMessage(**{**values, **fields}, to=list(to)).send()


def test_a_mail_leaves_after_the_commit(sink):
    with transaction.atomic():
        write("marta@example.org")
        assert sink.mails == []
    (delivered,) = sink.mails
    assert (delivered.sender, delivered.recipients) == ("p@x.org", ["marta@example.org"])
    assert opened(delivered)["Subject"] == "Ciao, è fatta"
    assert opened(delivered).get_content().splitlines() == [f"Apri {SECRET}", "..", "È tutto."]


def test_a_change_that_is_rolled_back_sends_nothing(sink):
    with transaction.atomic():
        write("marta@example.org")
        transaction.set_rollback(True)
    jobs.run_waiting()
    assert (sink.mails, OutgoingMail.objects.count()) == ([], 0)


def test_text_and_address_are_destroyed_once_the_mail_has_left(sink):
    write("marta@example.org")
    row = OutgoingMail.objects.get()
    assert (bytes(row.raw), row.recipient, row.refused, row.closed_at is None) == (
        b"",
        "",
        False,
        False,
    )


def test_run_again_a_mail_is_not_sent_again(sink):
    write("marta@example.org")
    mail.send_queued_mail(OutgoingMail.objects.get().pk)
    assert len(sink.mails) == 1


def test_each_address_gets_a_mail_of_its_own_with_a_number_of_its_own(sink):
    write("Marta <marta@example.org>", "ugo@example.org", cc=["eva@example.org"])
    assert [m.recipients for m in sink.mails] == [
        ["marta@example.org"],
        ["ugo@example.org"],
        ["eva@example.org"],
    ]
    numbers = {opened(m)["Message-ID"] for m in sink.mails}
    assert numbers == set(OutgoingMail.objects.values_list("message_id", flat=True))
    assert len(numbers) == 3


def test_who_gets_a_blind_copy_stays_unseen(sink):
    write("marta@example.org", bcc=["secret@example.org"])
    assert [m.recipients[0] for m in sink.mails] == ["marta@example.org", "secret@example.org"]
    assert [b"secret@example.org" in m.content for m in sink.mails] == [False, False]


def test_both_parts_of_a_mail_arrive(sink):
    message = EmailMultiAlternatives("Subject", "plain", "p@x.org", ["marta@example.org"])
    message.attach_alternative("<p>formatted</p>", "text/html")
    message.send()
    parts = [part.get_content_type() for part in opened(sink.mails[0]).walk()]
    assert parts == ["multipart/alternative", "text/plain", "text/html"]


@pytest.mark.parametrize(
    "forged",
    [
        {"subject": "Hello\nBcc: all@example.org"},
        {"subject": "Hello\rBcc: all@example.org"},
        {"from_email": "p@x.org\nBcc: all@example.org"},
        {"headers": {"X-Note": "a\r\nBcc: all@example.org"}},
        {"reply_to": ["a@x.org\nBcc: all@example.org"]},
    ],
)
def test_a_forged_header_is_refused_and_nothing_is_kept(sink, forged):
    with pytest.raises(BadHeaderError):
        write("marta@example.org", **forged)
    assert (OutgoingMail.objects.count(), Job.objects.count(), sink.mails) == (0, 0, [])


def test_without_a_mail_server_the_mail_stays_and_is_sent_when_it_is_back(
    no_server, settings, clock
):
    write("marta@example.org")
    assert OutgoingMail.objects.get().recipient == "marta@example.org"
    with smtp_sink.listening() as server:
        settings.EMAIL_PORT = server.port
        assert jobs.run_waiting() == 0  # not yet: the next try is in ten seconds
        clock.shift(timedelta(seconds=10))
        assert jobs.run_waiting() == 1
        assert [m.recipients for m in server.mails] == [["marta@example.org"]]


def test_an_hour_without_a_mail_server_loses_nothing(no_server, clock):
    write("marta@example.org")
    for _minute in range(60):
        clock.shift(timedelta(minutes=1))
        jobs.run_waiting()
    assert (jobs.count_given_up(), OutgoingMail.objects.get().closed_at) == (0, None)


def test_an_address_refused_for_good_is_not_tried_again_and_needs_nobody(sink):
    sink.refused["nobody@example.org"] = 550
    write("nobody@example.org", "marta@example.org")
    refused, sent = OutgoingMail.objects.all()
    assert (refused.refused, bytes(refused.raw), sent.refused) == (True, b"", False)
    assert [m.recipients for m in sink.mails] == [["marta@example.org"]]
    assert Job.objects.filter(done_at=None).count() == 0


def test_an_address_refused_for_now_is_tried_again(sink, clock):
    sink.refused["marta@example.org"] = 451
    write("marta@example.org")
    assert (Job.objects.get().trouble, OutgoingMail.objects.get().closed_at) == (
        "SMTPRecipientsRefused",
        None,
    )
    sink.refused.clear()
    clock.shift(timedelta(seconds=10))
    assert jobs.run_waiting() == 1


def test_killed_between_sending_and_writing_it_down_the_second_copy_has_the_same_number(
    sink, monkeypatch, clock
):
    def killed(row, **_):
        raise KeyboardInterrupt

    monkeypatch.setattr(mail, "close_mail", killed)
    with pytest.raises(KeyboardInterrupt):
        write("marta@example.org")
    monkeypatch.undo()
    clock.shift(jobs.LEASE + timedelta(seconds=1))
    jobs.run_waiting()
    assert len({opened(m)["Message-ID"] for m in sink.mails}) == 1
    assert len(sink.mails) == 2


def test_no_transaction_is_held_open_while_a_mail_server_is_slow(sink, monkeypatch):
    inside = []
    original = mail.get_connection

    def asked(*arguments, **options):
        inside.append(transaction.get_connection().in_atomic_block)
        return original(*arguments, **options)

    monkeypatch.setattr(mail, "get_connection", asked)
    write("marta@example.org")
    assert inside == [False]


@pytest.mark.usefixtures("no_server")
def test_the_log_holds_no_address_and_no_text(caplog):
    with caplog.at_level(logging.DEBUG):
        write("marta@example.org")
    assert "ConnectionRefusedError" in caplog.text
    assert re.findall(r"marta@|one-time-key|Ciao", caplog.text) == []


def test_the_embedded_profile_writes_mails_to_a_folder(settings):
    settings.MAIL_TRANSPORT = "file"
    write("marta@example.org")
    (kept,) = settings.MAIL_FOLDER.iterdir()
    assert b"To: marta@example.org" in kept.read_bytes()


def test_or_to_the_console(settings, capsys):
    settings.MAIL_TRANSPORT = "console"
    write("marta@example.org")
    assert "To: marta@example.org" in capsys.readouterr().out


def test_the_empty_rows_are_forgotten_after_thirty_days(sink, clock):
    write("marta@example.org")
    clock.shift(timedelta(days=30))
    mail.delete_sent_mail()
    assert OutgoingMail.objects.count() == 1
    clock.shift(timedelta(seconds=1))
    mail.delete_sent_mail()
    assert OutgoingMail.objects.count() == 0


def test_djangos_own_functions_write_to_the_outbox(sink):
    assert django_mail.send_mail("S", "B", None, ["marta@example.org"]) == 1
    assert opened(sink.mails[0])["From"] == "PerGioco Masters <portale@localhost>"
