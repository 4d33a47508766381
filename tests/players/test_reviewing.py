"""What staff decide about a registration."""

from datetime import date

import pytest
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import Registration
from pergioco.players.services import reviewing
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def registration(state="new", **fields):
    return factories.registered(state=state, **fields).registration


def test_verifying_keeps_the_day_on_which_the_document_was_seen_and_who_saw_it(staff):
    row = registration()
    reviewing.verify_registration(row, by=staff, version=1)
    row.refresh_from_db()
    assert (row.state, row.reviewed_by, row.reviewed_at, row.version) == (
        "verified",
        staff,
        timezone.now(),
        2,
    )
    assert row.player.person.identity_checked_on == date(2026, 3, 12)


def test_the_log_says_what_was_before_and_after(staff):
    row = registration()
    reviewing.verify_registration(row, by=staff, version=1)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.role, entry.player) == (
        "registration.verified",
        "staff",
        row.player,
    )
    assert entry.changes == {
        "state": ["new", "verified"],
        "identity_checked_on": ["", "2026-03-12"],
    }


def test_without_personal_data_there_is_nothing_to_verify(staff):
    player = factories.player()
    row = Registration.objects.create(player=player, registered_on=date(2026, 1, 1), state="new")
    with pytest.raises(Refused, match="nothing to compare"):
        reviewing.verify_registration(row, by=staff, version=1)


def test_a_correction_keeps_one_message_per_field_and_drops_empty_and_unknown_ones(staff):
    row = registration()
    asked = {"city": "Which Torino?", "last_name": "", "password": "x"}
    reviewing.ask_for_correction(row, asked, by=staff, version=1)
    row.refresh_from_db()
    assert (row.state, row.messages) == ("correct", {"city": "Which Torino?"})


def test_a_correction_without_any_message_is_refused(staff):
    row = registration()
    with pytest.raises(Refused, match="at least one message"):
        reviewing.ask_for_correction(row, {"city": ""}, by=staff, version=1)


@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_the_player_is_written_to_with_the_address_of_their_page_in_their_language(
    staff, mailoutbox, language
):
    row = registration(user=factories.user("marta@example.org", language=language))
    reviewing.ask_for_correction(row, {"city": "Which «Torino»?"}, by=staff, version=1)
    (mail,) = mailoutbox
    assert mail.to == ["marta@example.org"]
    assert ": Which «Torino»?\n" in mail.body
    assert f"http://127.0.0.1:8000/{language}/me/\n" in mail.body


def test_a_mail_shows_what_was_typed_as_it_was_typed(staff, mailoutbox):
    reviewing.refuse_registration(
        registration(first_name="D'Arco"), 'A < B & "C"', by=staff, version=1
    )
    assert "D'Arco" in mailoutbox[0].body
    assert 'A < B & "C"' in mailoutbox[0].body


def test_a_refusal_says_why_to_the_player_and_in_the_log(staff, mailoutbox):
    row = registration()
    reviewing.refuse_registration(row, "The name is invented.", by=staff, version=1)
    row.refresh_from_db()
    assert (row.state, row.counts) == ("refused", False)
    assert "The name is invented." in mailoutbox[0].body
    assert AuditEntry.objects.get().reason == "The name is invented."


def test_who_has_no_address_is_not_written_to(staff, mailoutbox):
    row = registration(login=False)
    reviewing.refuse_registration(row, "No such person.", by=staff, version=1)
    assert len(mailoutbox) == 0


def test_a_verified_registration_that_is_reopened_is_as_if_nobody_had_looked(staff):
    row = registration()
    reviewing.verify_registration(row, by=staff, version=1)
    reviewing.reopen_registration(row, by=staff, version=2, reason="wrong person")
    row.refresh_from_db()
    assert (row.state, row.reviewed_at, row.reviewed_by) == ("new", None, None)
    row.player.person.refresh_from_db()
    assert row.player.person.identity_checked_on is None
    entry = AuditEntry.objects.first()
    assert (entry.reason, entry.changes["identity_checked_on"]) == (
        "wrong person",
        ["2026-03-12", ""],
    )


def test_a_correction_that_was_reopened_asks_for_nothing_any_more(staff):
    row = registration()
    reviewing.ask_for_correction(row, {"city": "Which?"}, by=staff, version=1)
    reviewing.reopen_registration(row, by=staff, version=2)
    row.refresh_from_db()
    assert (row.state, row.messages) == ("new", {})


@pytest.mark.parametrize(
    ("state", "decisions"),
    [
        ("mail", []),
        ("new", ["verified", "correct", "refused"]),
        ("correct", ["verified", "correct", "refused", "new"]),
        ("verified", ["correct", "refused", "new"]),
        ("refused", ["new"]),
    ],
)
def test_what_may_be_decided_depends_on_where_it_stands(state, decisions):
    assert reviewing.possible_decisions(registration(state)) == decisions


def test_a_registration_whose_address_is_not_confirmed_waits_for_its_owner(staff):
    row = registration("mail")
    with pytest.raises(Refused, match="cannot become"):
        reviewing.verify_registration(row, by=staff, version=1)
    assert Registration.objects.get(pk=row.pk).state == "mail"


def test_of_two_who_decide_on_the_same_version_the_second_is_told_and_writes_nothing(
    staff, mailoutbox
):
    row = registration()
    seen_by_the_other = Registration.objects.get(pk=row.pk)
    reviewing.verify_registration(row, by=staff, version=1)
    with pytest.raises(Outdated):
        reviewing.refuse_registration(
            seen_by_the_other, "no", by=factories.user_with_role("staff"), version=1
        )
    assert Registration.objects.get(pk=row.pk).state == "verified"
    assert AuditEntry.objects.count() == 1
    assert len(mailoutbox) == 0


def test_who_comes_between_the_reading_and_the_writing_is_noticed_too(staff, monkeypatch):
    row = registration()

    def somebody_else(before, state, version):
        Registration.objects.filter(pk=before.pk).update(version=7)

    monkeypatch.setattr(reviewing, "guard_decision", somebody_else)
    with pytest.raises(Outdated):
        reviewing.verify_registration(row, by=staff, version=1)
    assert AuditEntry.objects.count() == 0
