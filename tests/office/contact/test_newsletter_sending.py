"""Sending: once to each person, never after a no, whatever the mail server answers."""

import logging
from datetime import timedelta

import pytest
from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.models import MOST_ATTEMPTS, Job
from pergioco.office.models import Bounce, Campaign, Delivery
from pergioco.office.newsletter import drafts, recipients, sending
from pergioco.office.newsletter.rendering import Copy, Edition
from tests.office.contact.conftest import opened
from tests.office.contact.readers import agree, held, leave, reader, sent
from tests.servers import free_port

pytestmark = pytest.mark.django_db
State = Campaign.State


def states() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("state", flat=True))


def test_each_reader_gets_one_mail_in_their_language(staff, sink, clock):
    for language in ("it", "en", "es"):
        reader(f"{language}@example.org", language=language)
    campaign = sent(staff, clock)
    assert {mail.recipients[0]: opened(mail)["Subject"] for mail in sink.mails} == {
        "it@example.org": "Novità di marzo",
        "en@example.org": "News of March",
        "es@example.org": "Novedades de marzo",
    }
    assert (campaign.state, states()) == (State.SENT, ["sent"] * 3)


def test_a_mail_names_only_the_one_who_gets_it_and_bears_its_own_number(staff, sink, clock):
    reader("anna@example.org")
    reader("ugo@example.org")
    sent(staff, clock)
    first, second = map(opened, sink.mails)
    assert (first["To"], second["To"]) == ("anna@example.org", "ugo@example.org")
    assert [
        b"ugo@example.org" in sink.mails[0].content,
        b"anna@example.org" in sink.mails[1].content,
    ] == [False, False]
    assert {mail["Message-ID"] for mail in (first, second)} == set(
        Delivery.objects.values_list("message_id", flat=True)
    )


def test_both_parts_and_the_one_click_of_rfc_8058(staff, sink, clock):
    player = reader()
    sent(staff, clock)
    mail = opened(sink.mails[0])
    text, html = (part.get_content() for part in mail.iter_parts())
    assert mail.get_content_type() == "multipart/alternative"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip(" <>")
    assert link in text
    assert link in html
    assert "<strong>primavera</strong>" in html
    assert recipients.read_unsubscribe_link(
        link.rstrip("/").rpartition("/")[2]
    ) == recipients.UnsubscribeLink(player, ("newsletter",))


def test_sent_again_nobody_gets_a_second_one(staff, sink, clock):
    reader()
    sent(staff, clock)
    leave()
    Campaign.objects.update(state=State.HELD)
    leave()
    assert len(sink.mails) == 1


def test_who_says_no_after_it_has_begun_is_skipped(staff, sink, clock, monkeypatch):
    first, second = reader("a@example.org"), reader("b@example.org")
    original = sending.tick_off

    def then_no(row, state):
        original(row, state)
        agree(second, given=False)

    monkeypatch.setattr(sending, "tick_off", then_no)
    sent(staff, clock)
    assert ([mail.recipients for mail in sink.mails], states()) == (
        [["a@example.org"]],
        ["sent", "skipped"],
    )
    assert first != second


def test_stopped_in_the_middle_it_goes_on_later_with_the_others(staff, sink, clock, monkeypatch):
    for name in "abc":
        reader(f"{name}@example.org")
    original = sending.tick_off

    def then_stop(row, state):
        original(row, state)
        drafts.stop_newsletter(row.campaign, by=staff)

    monkeypatch.setattr(sending, "tick_off", then_stop)
    campaign = sent(staff, clock)
    assert (campaign.state, states(), campaign.is_public) == (
        State.STOPPED,
        ["sent", "waiting", "waiting"],
        False,
    )

    monkeypatch.undo()
    assert drafts.reopen_newsletter(campaign, by=staff).state == State.HELD
    clock.shift(timedelta(minutes=31))
    leave()
    assert [mail.recipients[0][0] for mail in sink.mails] == ["a", "b", "c"]


def test_an_address_refused_for_good_is_noted_and_holds_up_nobody(staff, sink, clock):
    sink.refused["gone@example.org"] = 550
    gone, _here = reader("gone@example.org"), reader("here@example.org")
    campaign = sent(staff, clock)
    assert ([mail.recipients for mail in sink.mails], states()) == (
        [["here@example.org"]],
        ["refused", "sent"],
    )
    assert list(Bounce.objects.values_list("player", "address", "is_hard")) == [
        (gone.pk, "gone@example.org", True)
    ]
    assert campaign.state == State.SENT


def test_an_address_refused_for_now_is_tried_again_and_given_up_in_the_end(staff, sink, clock):
    sink.refused["full@example.org"] = 451
    reader("full@example.org")
    campaign = sent(staff, clock)
    assert (states(), campaign.state) == (["waiting"], State.SENDING)
    for _hour in range(2 * MOST_ATTEMPTS):
        clock.shift(timedelta(hours=1))
        leave()
    campaign.refresh_from_db()
    assert (states(), campaign.state, Job.objects.get().attempts) == (
        ["failed"],
        State.SENT,
        MOST_ATTEMPTS,
    )
    assert (Bounce.objects.count(), jobs.count_given_up()) == (0, 0)


def test_without_a_mail_server_everything_waits_and_no_try_is_counted(staff, sink, clock, settings):
    settings.EMAIL_PORT = free_port()
    reader()
    campaign = sent(staff, clock)
    waits = ("queued", 0, timezone.now() + sending.WHILE_UNREACHABLE)
    assert (campaign.state, states()) == (State.SENDING, ["waiting"])
    assert list(Job.objects.values_list("state", "attempts", "not_before")) == [waits]
    settings.EMAIL_PORT = sink.port
    clock.shift(sending.WHILE_UNREACHABLE)
    leave()
    assert len(sink.mails) == 1


def test_the_log_names_no_address(staff, sink, clock, caplog):
    sink.refused["full@example.org"] = 451
    reader("full@example.org")
    with caplog.at_level(logging.DEBUG):
        sent(staff, clock)
    assert "(newsletter.deliver) failed: SMTPRecipientsRefused" in caplog.text
    assert "full@example.org" not in caplog.text


def test_a_mail_in_another_workers_hands_is_left_alone_until_its_lease_is_over(staff, sink, clock):
    reader()
    campaign = held(staff)
    clock.shift(timedelta(minutes=31))
    sending.begin_sending(campaign)
    job = Job.objects.get()
    assert jobs.lease(job.pk) is not None
    leave()
    assert (sink.mails, jobs.lease(job.pk)) == ([], None)
    clock.shift(jobs.LEASE + timedelta(seconds=1))
    leave()
    assert len(sink.mails) == 1


@pytest.mark.parametrize("transport", ["file", "console"])
def test_the_embedded_profile_delivers_each_mail_by_itself(
    staff, clock, settings, transport, capsys
):
    settings.MAIL_TRANSPORT = transport
    for name in "ab":
        reader(f"{name}@example.org")
    assert sent(staff, clock).state == State.SENT
    files = list(settings.MAIL_FOLDER.glob("*"))
    assert len(files) == (2 if transport == "file" else 0)
    assert capsys.readouterr().out.count("To: ") == (0 if transport == "file" else 2)


@pytest.mark.parametrize(
    "forged", ["Hello\nBcc: all@example.org", "Hello\r\nBcc: all@example.org", "Hello\rX: y"]
)
def test_a_subject_that_would_be_a_header_never_becomes_one(staff, clock, forged):
    """Even if it had got into the database."""
    delivery = Delivery(campaign=held(staff), player=reader(), message_id="<1@example.org>")
    edition = Edition(delivery.campaign, Copy(forged, "", ""), "it")
    with pytest.raises(ValueError, match="Header values can't contain newlines"):
        edition.mail_for(delivery, "anna@example.org")


def test_a_long_newsletter_takes_as_many_queries_a_mail_as_a_short_one(
    staff, sink, clock, django_assert_max_num_queries
):
    for _number in range(20):
        reader()
    campaign = held(staff)
    clock.shift(timedelta(minutes=31))
    sending.begin_sending(campaign)
    campaign.refresh_from_db()
    with django_assert_max_num_queries(20 * 13 + 20):
        jobs.run_waiting()
    assert len(sink.mails) == 20


def test_killed_between_sending_and_ticking_off_the_second_copy_has_the_same_number(
    staff, sink, clock, monkeypatch
):
    def killed(_row, _state):
        raise KeyboardInterrupt

    reader()
    with monkeypatch.context() as broken:
        broken.setattr(sending, "tick_off", killed)
        with pytest.raises(KeyboardInterrupt):
            sent(staff, clock)
    clock.shift(jobs.LEASE + timedelta(seconds=1))
    leave()
    assert [opened(mail)["Message-ID"] for mail in sink.mails] == [
        Delivery.objects.get().message_id
    ] * 2
    assert states() == ["sent"]


def test_one_connection_carries_the_mails_of_a_pass(staff, sink, clock, monkeypatch):
    connections, original = [], sending.SmtpConnection.open

    def counted(connection: sending.SmtpConnection) -> None:
        connections.append(connection)
        original(connection)

    monkeypatch.setattr(sending.SmtpConnection, "open", counted)
    for _number in range(3):
        reader()
    sent(staff, clock)
    assert (len(sink.mails), len(connections), sending.current.connection.transport) == (3, 1, None)


def test_login_mails_go_before_a_newsletter_and_it_alarms_nobody(staff, sink, clock):
    reader()
    held(staff)
    clock.shift(timedelta(minutes=31))
    sending.send_due_newsletters()
    clock.shift(timedelta(minutes=5))
    assert (list(Job.objects.values_list("lane", "is_bulk")), jobs.oldest_waiting_seconds()) == (
        [("outside", True)],
        0,
    )
