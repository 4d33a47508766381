"""Disqualifications by two people, and sanctions."""

from datetime import date

import pytest
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.players.models import Disqualification, Sanction
from pergioco.players.services import discipline
from tests import factories

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 1)


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def other_staff():
    return factories.user_with_role("staff")


def proposed(by, player=None, kind="ranking"):
    player = player or factories.registered()
    return discipline.propose_disqualification(
        player, kind=kind, effective_on=DAY, reason="Two accounts.", by=by
    )


def test_pg_26_a_disqualification_has_a_day_a_kind_and_a_reason_and_waits(staff):
    decision = proposed(staff, kind="void")
    assert (decision.kind, decision.effective_on, decision.reason) == ("void", DAY, "Two accounts.")
    assert (decision.proposed_by, decision.confirmed_at) == (staff, None)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason) == ("disqualification.proposed", "Two accounts.")
    assert entry.changes == {"kind": ["", "void"], "effective_on": ["", "2026-03-01"]}


def test_a_proposal_is_told_to_nobody(staff, mailoutbox):
    proposed(staff)
    assert len(mailoutbox) == 0


def test_a_second_proposal_about_the_same_player_is_refused_in_words(staff, other_staff):
    player = factories.registered()
    proposed(staff, player)
    with pytest.raises(Refused, match="Withdraw it before"):
        proposed(other_staff, player)
    assert Disqualification.objects.count() == 1


def test_after_a_withdrawal_another_one_may_be_proposed(staff):
    player = factories.registered()
    discipline.withdraw_disqualification(proposed(staff, player), by=staff, reason="wrong day")
    proposed(staff, player)
    assert player.disqualifications.filter(withdrawn_at=None).count() == 1


def test_who_was_merged_or_erased_is_not_disqualified(staff):
    kept, merged, erased = (factories.player() for _ in range(3))
    merged.merged_into = kept
    erased.erased_at = timezone.now()
    for player in (merged, erased):
        with pytest.raises(Refused, match="nothing to decide"):
            proposed(staff, player)


def test_a_second_person_confirms_and_only_then_the_player_is_told(staff, other_staff, mailoutbox):
    decision = proposed(
        staff, factories.registered(user=factories.user("marta@example.org", language="en"))
    )
    discipline.confirm_disqualification(decision, by=other_staff)
    assert (decision.confirmed_by, decision.confirmed_at) == (other_staff, timezone.now())
    assert [mail.to for mail in mailoutbox] == [["marta@example.org"]]
    assert "Two accounts." in mailoutbox[0].body


def test_who_proposed_does_not_confirm(staff):
    decision = proposed(staff)
    with pytest.raises(Refused, match="a second person"):
        discipline.confirm_disqualification(decision, by=staff)
    assert Disqualification.objects.get().confirmed_at is None


def test_of_two_who_confirm_at_once_the_second_is_told(staff, other_staff, mailoutbox):
    decision = proposed(staff)
    seen_by_the_third = Disqualification.objects.get()
    discipline.confirm_disqualification(decision, by=other_staff)
    with pytest.raises(Refused, match="in the meantime"):
        discipline.confirm_disqualification(seen_by_the_third, by=factories.user_with_role("staff"))
    assert Disqualification.objects.get().confirmed_by == other_staff
    assert len(mailoutbox) == 1


def test_what_was_withdrawn_is_not_confirmed(staff, other_staff):
    decision = proposed(staff)
    discipline.withdraw_disqualification(decision, by=staff, reason="no")
    with pytest.raises(Refused, match="in the meantime"):
        discipline.confirm_disqualification(decision, by=other_staff)


def test_nobody_decides_their_own_case(other_staff):
    player = factories.registered(user=other_staff)
    with pytest.raises(Refused, match="about you"):
        proposed(other_staff, player)
    decision = proposed(factories.user_with_role("staff"), player)
    for act in (
        discipline.confirm_disqualification,
        lambda d, by: discipline.withdraw_disqualification(d, by=by, reason="mine"),
    ):
        with pytest.raises(Refused, match="about you"):
            act(decision, by=other_staff)


def test_withdrawing_a_proposal_is_told_to_nobody(staff, mailoutbox):
    discipline.withdraw_disqualification(proposed(staff), by=staff, reason="no proof")
    assert len(mailoutbox) == 0
    assert AuditEntry.objects.first().reason == "no proof"


def test_withdrawing_a_confirmed_one_is_told_to_the_player(staff, other_staff, mailoutbox):
    decision = proposed(staff)
    discipline.confirm_disqualification(decision, by=other_staff)
    discipline.withdraw_disqualification(decision, by=staff, reason="new facts")
    assert len(mailoutbox) == 2
    with pytest.raises(Refused, match="in the meantime"):
        discipline.withdraw_disqualification(decision, by=other_staff, reason="again")


def sanctioned(by, first=date(2026, 3, 1), last=date(2026, 6, 30)):
    return discipline.add_sanction(
        factories.registered(), starts_on=first, ends_on=last, reason="Left a table.", by=by
    )


def test_rk_16_a_sanction_holds_between_two_days_both_included(staff):
    row = sanctioned(staff)
    days = (date(2026, 2, 28), date(2026, 3, 1), date(2026, 6, 30), date(2026, 7, 1))
    assert [row.is_in_force(day) for day in days] == [False, True, True, False]
    assert AuditEntry.objects.get().changes == {
        "starts_on": ["", "2026-03-01"],
        "ends_on": ["", "2026-06-30"],
    }


def test_a_sanction_that_ends_before_it_begins_is_refused(staff):
    with pytest.raises(Refused) as refused:
        sanctioned(staff, date(2026, 3, 2), date(2026, 3, 1))
    assert refused.value.field == "ends_on"


def test_a_sanction_can_be_shortened_with_a_reason(staff):
    row = sanctioned(staff)
    discipline.end_sanction(row, last_day=date(2026, 3, 12), reason="Apologised.", by=staff)
    assert Sanction.objects.get().ends_on == date(2026, 3, 12)
    entry = AuditEntry.objects.first()
    assert (entry.action, entry.reason) == ("sanction.shortened", "Apologised.")
    assert entry.changes == {"ends_on": ["2026-06-30", "2026-03-12"]}


def test_a_sanction_is_not_made_longer_by_ending_it(staff):
    with pytest.raises(Refused, match="ends on"):
        discipline.end_sanction(sanctioned(staff), last_day=date(2026, 6, 30), reason="x", by=staff)


def test_a_last_day_before_the_first_takes_the_sanction_back(staff):
    discipline.end_sanction(
        sanctioned(staff), last_day=date(2026, 2, 28), reason="Wrong player.", by=staff
    )
    assert Sanction.objects.count() == 0
    assert AuditEntry.objects.first().action == "sanction.taken_back"


def test_nobody_sanctions_or_frees_themselves(staff):
    player = factories.registered(user=staff)
    with pytest.raises(Refused, match="about you"):
        discipline.add_sanction(player, starts_on=DAY, ends_on=DAY, reason="x", by=staff)
    row = Sanction.objects.create(player=player, starts_on=DAY, ends_on=DAY, reason="x")
    with pytest.raises(Refused, match="about you"):
        discipline.end_sanction(row, last_day=date(2026, 2, 1), reason="x", by=staff)
