"""A mail server that accepts and stays silent: it is left alone, no mail is lost, no request
waits."""

import time
from datetime import timedelta

import pytest
from django.core.mail import send_mail
from django.utils import timezone

from pergioco.core import breaker, jobs, mail
from pergioco.core.models import Breaker, Job, OutgoingMail
from pergioco.core.needs import list_needs
from pergioco.office.models import Delivery
from pergioco.office.newsletter import sending
from tests.core.silence import silent_server
from tests.office.contact import sink as smtp_sink
from tests.office.contact.readers import held, reader

pytestmark = pytest.mark.django_db(transaction=True)
MAILS = 20
SECONDS = 0.05


@pytest.fixture
def silent(settings):
    settings.EMAIL_BACKEND = "pergioco.core.mail.QueueBackend"
    settings.BROKER_URL, settings.MAIL_TRANSPORT = "", "smtp"
    settings.EMAIL_TIMEOUT, settings.EMAIL_USE_TLS = SECONDS, False
    with silent_server() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        yield server


def write(count: int = MAILS) -> None:
    for number in range(count):
        send_mail("Hello", "Text", "p@example.org", [f"m{number}@example.org"])


def test_no_request_waits_for_it(silent):
    write()
    assert (len(silent.visits), OutgoingMail.objects.count()) == (0, MAILS)


def test_after_three_failures_all_waiting_mails_wait_together(silent, clock):
    write()
    begun = time.monotonic()
    assert jobs.run_waiting() == 0
    assert (len(silent.visits), time.monotonic() - begun < 2) == (3, True)
    tried = Job.objects.order_by("pk").values_list("attempts", flat=True)
    assert list(tried) == [1, 1, *[0] * (MAILS - 2)]
    assert set(Job.objects.values_list("state", "not_before")) == {
        ("queued", timezone.now() + breaker.PAUSE)
    }
    assert Breaker.objects.get().trouble == "SMTPServerDisconnected"


def test_control_without_the_breaker_each_mail_waits_for_it(silent, clock, monkeypatch):
    monkeypatch.setattr(breaker, "MOST_FAILURES", MAILS + 1)
    write()
    jobs.run_waiting()
    assert len(silent.visits) == MAILS


def test_half_a_day_without_an_answer_uses_up_no_attempt(silent, clock, settings):
    write(3)
    for _hour in range(12):
        jobs.run_waiting()
        clock.shift(timedelta(hours=1))
    assert (len(silent.visits), max(Job.objects.values_list("attempts", flat=True))) == (14, 1)
    with smtp_sink.listening() as server:
        settings.EMAIL_PORT = server.port
        assert jobs.run_waiting() == 3
        assert len(server.mails) == 3
    assert (breaker.list_open(), jobs.count_given_up()) == ([], 0)


def test_a_mail_that_alone_gets_no_answer_is_given_up_in_the_end(silent, clock, settings):
    """The others show that the server is well."""
    write(1)
    good = settings.EMAIL_PORT
    with smtp_sink.listening() as server:
        for _try in range(5):
            settings.EMAIL_PORT = good
            jobs.run_waiting()
            settings.EMAIL_PORT = server.port
            write(1)
            Job.objects.filter(attempts=0).update(not_before=timezone.now())
            assert jobs.run(Job.objects.filter(attempts=0).get().pk) is True
            clock.shift(timedelta(hours=2))
    assert jobs.count_given_up() == 1


def test_a_newsletter_waits_with_the_mails(staff, silent, clock):
    for _number in range(5):
        reader()
    held(staff)
    clock.shift(timedelta(minutes=31))
    for _pass in range(3):
        sending.send_due_newsletters()
        jobs.run_waiting()
        clock.shift(sending.WHILE_UNREACHABLE)
    assert (len(silent.visits), len(breaker.list_open())) == (3, 1)
    jobs.run_waiting()
    assert (len(silent.visits), set(Delivery.objects.values_list("state", flat=True))) == (
        3,
        {"waiting"},
    )


def test_a_worker_that_is_killed_in_the_middle_of_a_mail_holds_up_no_other_mail(
    silent, settings, clock, monkeypatch
):
    def killed(*_arguments):
        raise KeyboardInterrupt

    write(2)
    with monkeypatch.context() as broken:
        broken.setattr(mail, "connect", killed)
        with pytest.raises(KeyboardInterrupt):
            jobs.run_waiting()
    with smtp_sink.listening() as server:
        settings.EMAIL_PORT = server.port
        assert jobs.run_waiting() == 1
        clock.shift(timedelta(seconds=21))
        assert jobs.run_waiting() == 1
        assert len(server.mails) == 2


@pytest.mark.usefixtures("english")
def test_the_desk_says_it_in_words(staff, silent, clock):
    write()
    jobs.run_waiting()
    (need,) = [one for one in list_needs(staff) if "mail server" in one.sentence]
    assert need.sentence == (
        "The mail server has not answered since 12 March 2026, 12:00. 20 mails wait, and leave by "
        "themselves once it is back: ask the operator of the portal to look at the mail server."
    )
    assert need.urgency == "urgent"
