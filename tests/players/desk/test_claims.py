"""“That was me” (PG-4): the queue and the decision."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.players.models import Claim, Merge, PlatformAccount, Player
from pergioco.players.services import claims
from tests import factories
from tests.conftest import reauthenticated, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english():
    with override("en"):
        yield


def claim(*, language: str = "en", **fields) -> Claim:
    shadow = factories.player()
    account = factories.account(shadow, "Kasp77", platform_id=f"k{shadow.pk}")
    claimant = factories.registered(user=factories.user(language=language))
    return Claim.objects.create(player=claimant, target=shadow, account=account, **fields)


def address(row: Claim) -> str:
    return reverse("desk-claim", args=[row.pk])


# The decision


def test_pg_4_an_approved_claim_gives_the_past_to_the_claimant(staff):
    row = claim()
    claims.approve_claim(row, by=staff)
    assert PlatformAccount.objects.get().player == row.player
    assert Player.objects.get(pk=row.target_id).merged_into == row.player
    decided = Claim.objects.get()
    assert (decided.state, decided.decided_by, decided.decided_at is None) == (
        "approved",
        staff,
        False,
    )
    assert AuditEntry.objects.get(action="claim.approved").player == row.player


def test_approving_twice_is_approving_once(staff, mailoutbox):
    row = claim()
    claims.approve_claim(row, by=staff)
    claims.approve_claim(row, by=staff)
    assert (Merge.objects.count(), len(mailoutbox)) == (1, 1)
    assert AuditEntry.objects.filter(action="claim.approved").count() == 1


def test_a_refused_claim_moves_nothing_and_keeps_the_answer(staff):
    row = claim()
    claims.refuse_claim(row, by=staff, answer="That account belongs to somebody else.")
    decided = Claim.objects.get()
    assert (decided.state, decided.answer) == ("refused", "That account belongs to somebody else.")
    assert PlatformAccount.objects.get().player == row.target
    assert not Merge.objects.exists()


def test_a_decision_is_not_turned_round(staff):
    row = claim()
    claims.refuse_claim(row, by=staff, answer="no")
    with pytest.raises(Refused) as refusal:
        claims.approve_claim(row, by=staff)
    assert str(refusal.value) == "This claim was already decided: refused."


@pytest.mark.parametrize("state", ["offered", "declined"])
def test_what_the_player_did_not_claim_is_not_decided(staff, state):
    with pytest.raises(Refused):
        claims.approve_claim(claim(state=state), by=staff)
    assert not Merge.objects.exists()


def test_when_the_past_went_to_somebody_else_the_claim_stays_open_and_nobody_is_written_to(
    staff, mailoutbox
):
    row = claim()
    other = Claim.objects.create(player=factories.registered(), target=row.target)
    claims.approve_claim(row, by=staff)
    with pytest.raises(Refused, match="was already merged into another player"):
        claims.approve_claim(other, by=staff)
    assert Claim.objects.get(pk=other.pk).state == "open"
    assert len(mailoutbox) == 1


@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_the_player_is_told_in_their_language(staff, language, mailoutbox):
    row = claim(language=language)
    claims.refuse_claim(row, by=staff, answer="Ask Ada.")
    (letter,) = mailoutbox
    assert letter.to == [row.player.person.email]
    assert f"/{language}/me/" in letter.body
    assert "Ask Ada." in letter.body


def test_the_letter_about_an_approved_claim_names_nobody_else(staff, mailoutbox):
    claims.approve_claim(claim(), by=staff)
    (letter,) = mailoutbox
    assert letter.subject == "Your past results are yours now"
    assert "Kasp77" not in letter.body
    assert letter.body.endswith("\n\nPerGioco Masters\nhttp://127.0.0.1:8000\n")


# The pages


def test_the_queue_shows_what_waits_first_and_only_what_was_claimed(staff):
    decided, waits, offered = claim(state="refused"), claim(), claim(state="offered")
    page = signed_in(staff).get(reverse("desk-claims"))
    assert list(page.context["page"]) == [waits, decided]
    assert address(offered) not in page.content.decode()
    assert signed_in(staff).get(address(offered)).status_code == 404


def test_an_empty_queue_says_so(staff):
    assert (
        "Nobody has claimed a past."
        in signed_in(staff).get(reverse("desk-claims")).content.decode()
    )


def test_the_evidence_stands_side_by_side(staff):
    row = claim()
    factories.proved(row.player, "Kasper")
    page = signed_in(staff).get(address(row)).content.decode()
    for shown in (
        "PlayStrategy: Kasper (proved with a code)",
        "PlayStrategy: Kasp77 (declared)",
        "At registration the player named this account: PlayStrategy: Kasp77.",
    ):
        assert shown in page


def test_a_decision_asks_for_the_password_again(staff):
    row = claim()
    answer = signed_in(staff).post(address(row), {"decision": "approve"})
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert Claim.objects.get().state == "open"


def test_staff_approve_on_the_page_and_the_outcome_is_shown_afterwards(staff):
    row, client = claim(), reauthenticated(staff)
    assert client.post(address(row), {"decision": "approve"}).url == reverse("desk-claims")
    page = client.get(address(row))
    assert page.context["preview"] is None
    assert "Answer the claim" not in page.content.decode()


def test_a_refusal_needs_an_answer_for_the_player(staff):
    row, client = claim(), reauthenticated(staff)
    page = client.post(address(row), {"decision": "refuse", "answer": ""})
    assert page.context["form"].errors == {"answer": ["Say why: the player reads it."]}
    client.post(address(row), {"decision": "refuse", "answer": "Not your account."})
    assert Claim.objects.get().answer == "Not your account."


def test_a_decision_that_came_too_late_says_so_and_keeps_what_was_typed(staff):
    row, client = claim(), reauthenticated(staff)
    claims.approve_claim(row, by=staff)
    page = client.post(address(row), {"decision": "refuse", "answer": "No, never."})
    assert page.context["form"].non_field_errors() == ["This claim was already decided: approved."]


def test_the_queue_costs_the_same_whatever_its_length(staff):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("desk-claims"))
        return len(captured)

    client = signed_in(staff)
    claim()
    client.get(reverse("desk-claims"))
    with_one = queries()
    claim()
    claim()
    assert queries() == with_one
