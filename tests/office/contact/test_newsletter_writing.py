"""A newsletter from its first word to the moment it leaves: who writes, who stops, and what is
refused."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.office.models import Campaign, Delivery
from pergioco.office.newsletter import drafts, recipients
from pergioco.office.newsletter.recipients import count_subscribers_by_language, subscribers
from pergioco.players.services import erasing
from tests import factories
from tests.office.contact.readers import WORDS, agree, draft, held, leave, reader, sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
State = Campaign.State


# Who gets it


def test_only_the_latest_word_on_the_newsletter_counts():
    yes, no, back, never = reader(), reader(), reader(), factories.registered()
    agree(no, given=False)
    agree(back, given=False)
    agree(back)
    assert (set(subscribers()), never in subscribers()) == ({yes, back}, False)


def test_an_address_that_nobody_confirmed_gets_nothing():
    agree(factories.registered(user=factories.user(verified=False)))
    assert subscribers().count() == 0


def test_an_address_on_file_of_somebody_without_a_login_gets_it():
    player = factories.registered(login=False, contact_email="anna@example.org")
    agree(player)
    assert recipients.find_reader(subscribers(), player.pk) == ("anna@example.org", "it")


def test_the_count_is_by_the_language_in_which_people_are_written_to():
    for language in ("it", "it", "es"):
        reader(language=language)
    assert count_subscribers_by_language() == {"it": 2, "en": 0, "es": 1}


def test_an_erased_person_and_one_found_to_be_another_get_nothing(staff):
    erasing.erase_player(reader(), by=staff)
    assert subscribers().count() == 0


def test_after_three_mails_that_came_back_for_good_an_address_gets_nothing_until_it_changes(staff):
    player = reader("gone@example.org")
    for time, reaches in enumerate((True, True, False)):
        recipients.note_bounce(player, "Gone@example.org")
        assert subscribers().exists() == reaches, time
    user = player.person.user
    user.emailaddress_set.update(email="new@example.org")
    type(user).objects.filter(pk=user.pk).update(email="new@example.org")
    assert subscribers().exists()


def test_what_came_back_for_now_keeps_nobody_out():
    player = reader("full@example.org")
    for _time in range(9):
        recipients.note_bounce(player, "full@example.org", is_hard=False)
    assert subscribers().exists()


def test_staff_note_all_addresses_or_none(staff):
    reader("one@example.org")
    with pytest.raises(
        Refused, match=r"Nobody has the address two@example\.org: nothing was noted"
    ):
        recipients.note_bounces_by_hand("one@example.org\ntwo@example.org", is_hard=True, by=staff)
    assert (
        recipients.note_bounces_by_hand(
            " ONE@example.org \n\none@example.org\n", is_hard=True, by=staff
        )
        == 1
    )


# Writing


def test_a_form_sent_twice_begins_one(staff):
    key = uuid4()
    assert drafts.begin_newsletter(by=staff, submission=key) == drafts.begin_newsletter(
        by=staff, submission=key
    )
    assert Campaign.objects.count() == 1


def test_whoever_saves_second_hears_that_somebody_was_faster(staff):
    campaign = draft(staff)
    drafts.save_draft(campaign, {**WORDS, "text_it": "Prima"}, version=1, by=staff)
    with pytest.raises(Outdated, match="Somebody else changed this newsletter"):
        drafts.save_draft(campaign, {**WORDS, "text_it": "Seconda"}, version=1, by=staff)
    campaign.refresh_from_db()
    assert (campaign.text_it, campaign.version) == ("Prima", 2)


def test_saying_the_same_again_changes_nothing(staff):
    assert drafts.save_draft(draft(staff), WORDS, version=1, by=staff).version == 1
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("sign", ["\r", "\n", "\r\n", "\u2028", "\x0b", "\x00"])
def test_a_subject_with_a_line_break_is_refused(staff, sign):
    campaign = draft(staff)
    with pytest.raises(Refused, match="A subject is one line") as refused:
        drafts.save_draft(
            campaign,
            {**WORDS, "subject_en": f"News{sign}Bcc: all@example.org"},
            version=1,
            by=staff,
        )
    assert refused.value.field == "subject_en"


@pytest.mark.parametrize("missing", WORDS)
def test_what_is_unfinished_in_any_language_does_not_leave(staff, missing):
    campaign = draft(staff, **{missing: " \n"})
    with pytest.raises(Refused, match="is still empty") as refused:
        drafts.hold_newsletter(campaign, version=1, by=staff)
    assert refused.value.field == missing


def test_a_block_that_stands_for_nothing_does_not_leave(staff):
    with pytest.raises(Refused, match=r"\[\[rosso 10\]\] stands for nothing"):
        held(staff, text_it="Ecco:\n\n[[rosso 10]]")


# Half an hour to think again


@pytest.mark.usefixtures("clock")
def test_it_is_held_for_half_an_hour(staff):
    reader()
    campaign = held(staff)
    assert (campaign.state, campaign.leaves_at) == (
        State.HELD,
        timezone.now() + timedelta(minutes=30),
    )
    leave()
    assert Delivery.objects.count() == 0


@pytest.mark.usefixtures("clock")
def test_what_is_held_cannot_be_changed(staff):
    campaign = held(staff)
    with pytest.raises(Outdated):
        drafts.save_draft(campaign, WORDS, version=campaign.version, by=staff)


def test_stopped_in_time_nothing_leaves_and_it_is_a_draft_again(staff, clock, sink):
    reader()
    campaign = drafts.stop_newsletter(held(staff), by=staff)
    clock.shift(timedelta(hours=2))
    leave()
    assert (campaign.state, Delivery.objects.count(), sink.mails) == (State.STOPPED, 0, [])
    assert drafts.reopen_newsletter(campaign, by=staff).state == State.DRAFT


def test_there_is_nothing_to_stop_in_a_draft_nor_in_what_has_left(staff, clock, sink):
    with pytest.raises(Outdated, match="nothing to stop"):
        drafts.stop_newsletter(draft(staff), by=staff)
    with pytest.raises(Outdated, match="nothing to stop"):
        drafts.stop_newsletter(sent(staff, clock), by=staff)
    assert sink.mails == []


def test_each_step_stands_in_the_audit_log(staff, clock, sink):
    drafts.reopen_newsletter(drafts.stop_newsletter(held(staff), by=staff), by=staff)
    sent(staff, clock)
    actions = (
        AuditEntry.objects.filter(object_type="office.campaign")
        .order_by("pk")
        .values_list("action", flat=True)
    )
    assert list(actions) == [
        *("newsletter.held", "newsletter.stopped", "newsletter.reopened"),
        *("newsletter.held", "newsletter.leaving", "newsletter.sent"),
    ]


def test_a_test_goes_to_whoever_asks_and_to_nobody_else(staff, mailoutbox):
    reader()
    drafts.send_test(staff, draft(staff), "es")
    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == ([staff.email], "[Test] Novedades de marzo")
    assert "Es **primavera**." in mail.body
    assert Delivery.objects.count() == 0
