"""The pages on which two people disqualify, and one sanctions."""

from datetime import date

import pytest
from django.utils import timezone

from pergioco.players.models import Disqualification, Sanction
from pergioco.players.services import discipline
from tests import factories
from tests.conftest import reauthenticated, signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
LIST = "/en/staff/disqualifications/"
PROPOSAL = {"kind": "ranking", "effective_on": "2026-03-01", "reason": "Two accounts."}
SANCTION = {"starts_on": "2026-03-01", "ends_on": "2026-06-30", "reason": "Left a table."}


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def room(player):
    return f"/en/staff/people/{player.public_id}/"


@pytest.fixture
def decision(staff):
    return discipline.propose_disqualification(
        factories.registered(),
        kind="ranking",
        effective_on=date(2026, 3, 1),
        reason="Two accounts.",
        by=staff,
    )


def page_of(decision):
    return f"{LIST}{decision.pk}/"


@pytest.mark.parametrize("role", ["organizer", "big_organizer", "risiko_director"])
def test_only_staff_discipline(role, decision):
    browser = signed_in(factories.user_with_role(role))
    player = decision.player
    pages = (LIST, page_of(decision), room(player) + "disqualify/", room(player) + "sanction/")
    assert {browser.get(address).status_code for address in pages} == {403}
    assert {browser.post(address).status_code for address in pages} == {403}


def test_the_pages_open_without_the_password(staff, decision):
    browser, player = signed_in(staff), decision.player
    for address in (
        LIST,
        page_of(decision),
        room(player) + "disqualify/",
        room(player) + "sanction/",
    ):
        assert browser.get(address).status_code == 200


def test_each_step_asks_for_the_password_first(staff, decision):
    browser, player = signed_in(factories.user_with_role("staff")), factories.registered()
    for address, fields in (
        (room(player) + "disqualify/", PROPOSAL),
        (room(player) + "sanction/", SANCTION),
        (page_of(decision), {"step": "confirm"}),
        (page_of(decision), {"step": "withdraw", "reason": "x"}),
    ):
        assert browser.post(address, fields).url.startswith("/en/account/reauthenticate/")
    assert Disqualification.objects.get().confirmed_at is None
    assert Disqualification.objects.get().withdrawn_at is None
    assert Sanction.objects.count() == 0


def test_after_the_password_what_was_typed_is_done(staff):
    browser, player = signed_in(staff), factories.registered()
    asked = browser.post(room(player) + "disqualify/", PROPOSAL)
    answer = browser.post(asked.url, {"password": factories.PASSWORD})
    assert answer.url == room(player)
    assert Disqualification.objects.get().reason == "Two accounts."


def test_a_quarter_of_an_hour_later_the_password_is_asked_again(staff, clock):
    browser, player = reauthenticated(staff), factories.registered()
    clock.shift(14 * 60)
    assert browser.post(room(player) + "sanction/", SANCTION).url == room(player)
    clock.shift(2 * 60)
    assert browser.post(room(player) + "sanction/", SANCTION).url.startswith(
        "/en/account/reauthenticate/"
    )


def test_one_proposes_and_another_confirms(staff):
    player = factories.registered()
    assert reauthenticated(staff).post(room(player) + "disqualify/", PROPOSAL).url == room(player)
    decision = Disqualification.objects.get()
    other = factories.user_with_role("staff")
    assert reauthenticated(other).post(page_of(decision), {"step": "confirm"}).url == room(player)
    decision.refresh_from_db()
    assert (decision.proposed_by, decision.confirmed_by) == (staff, other)


def test_who_proposed_is_offered_no_confirmation_and_told_if_they_try(staff, decision):
    browser = reauthenticated(staff)
    assert "Confirm as the second person" not in browser.get(page_of(decision)).content.decode()
    page = browser.post(page_of(decision), {"step": "confirm"})
    assert page.context["confirmation"].non_field_errors() == [
        "You proposed this disqualification: a second person must confirm it."
    ]


def test_the_slower_of_two_who_confirm_is_told(staff, decision):
    discipline.confirm_disqualification(decision, by=factories.user_with_role("staff"))
    page = reauthenticated(factories.user_with_role("staff")).post(
        page_of(decision), {"step": "confirm"}
    )
    assert page.context["confirmation"].non_field_errors() == [
        "Somebody else confirmed or withdrew this disqualification in the meantime."
    ]


def test_a_withdrawal_needs_a_reason(staff, decision):
    browser = reauthenticated(staff)
    page = browser.post(page_of(decision), {"step": "withdraw", "reason": " "})
    assert page.context["withdrawal"].errors.keys() == {"reason"}
    assert (
        browser.post(page_of(decision), {"step": "withdraw", "reason": "no proof"}).status_code
        == 302
    )
    assert "Withdraw the disqualification" not in browser.get(page_of(decision)).content.decode()


@pytest.mark.parametrize("missing", ["kind", "effective_on", "reason"])
def test_a_proposal_without_one_of_its_parts_keeps_the_others(staff, missing):
    player = factories.registered()
    page = reauthenticated(staff).post(room(player) + "disqualify/", {**PROPOSAL, missing: ""})
    assert page.context["form"].errors.keys() == {missing}
    kept = "Two accounts." if missing != "reason" else "2026-03-01"
    assert kept in page.content.decode()
    assert Disqualification.objects.count() == 0


def test_a_second_proposal_is_refused_in_words(staff, decision):
    page = reauthenticated(staff).post(room(decision.player) + "disqualify/", PROPOSAL)
    assert "Withdraw it before you propose another one." in page.content.decode()


def test_what_waits_comes_first_in_the_list(staff, decision):
    confirmed, withdrawn = (
        discipline.propose_disqualification(
            factories.registered(), kind="void", effective_on=date(2026, 1, 9), reason="x", by=staff
        )
        for _ in range(2)
    )
    discipline.confirm_disqualification(confirmed, by=factories.user_with_role("staff"))
    discipline.withdraw_disqualification(withdrawn, by=staff, reason="x")
    assert list(signed_in(staff).get(LIST).context["page"]) == [decision, confirmed, withdrawn]


def test_the_list_asks_the_database_as_often_for_three_as_for_one(staff, decision):
    factories.account(decision.player)
    browser = signed_in(staff)
    first = queries_of(browser, LIST)
    for _ in range(2):
        nameless = factories.account(factories.player()).player
        discipline.propose_disqualification(
            nameless, kind="void", effective_on=date(2026, 1, 9), reason="x", by=staff
        )
    assert queries_of(browser, LIST) == first


def test_a_sanction_is_added_and_ended_earlier(staff):
    player, browser = factories.registered(), reauthenticated(staff)
    assert browser.post(room(player) + "sanction/", SANCTION).url == room(player)
    row = Sanction.objects.get()
    ending = f"/en/staff/sanctions/{row.pk}/end/"
    assert browser.post(ending, {"last_day": "2026-04-01", "reason": "Apologised."}).url == room(
        player
    )
    row.refresh_from_db()
    assert row.ends_on == date(2026, 4, 1)


def test_a_sanction_with_its_days_the_wrong_way_round_is_refused_at_the_field(staff):
    player = factories.registered()
    page = reauthenticated(staff).post(
        room(player) + "sanction/", {**SANCTION, "ends_on": "2026-02-01"}
    )
    assert page.context["form"].errors == {"ends_on": ["The last day comes before the first one."]}
    assert "Left a table." in page.content.decode()


def test_what_does_not_exist_is_not_found(staff):
    browser = signed_in(staff)
    for address in (
        f"{LIST}9/",
        "/en/staff/sanctions/9/end/",
        "/en/staff/people/nobody/disqualify/",
    ):
        assert browser.get(address).status_code == 404


def test_pg_26_a_decision_of_the_archive_names_nobody_of_the_portal(staff):
    player = factories.registered()
    decision = Disqualification.objects.create(
        player=player,
        kind="void",
        effective_on=date(2024, 5, 1),
        reason="bundle",
        confirmed_at=timezone.now(),
    )
    text = signed_in(staff).get(page_of(decision)).content.decode()
    assert "it came with the federation’s archive" in text
    assert "None" not in text
