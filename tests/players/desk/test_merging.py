"""The pages on which staff join two players, and take that back."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from pergioco.players.models import Merge, PlatformAccount, Player
from pergioco.players.services import merging
from tests import factories
from tests.conftest import reauthenticated, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english():
    with override("en"):
        yield


@pytest.fixture
def two() -> tuple[Player, Player]:
    kept, shadow = factories.registered(last_name="Bianchi"), factories.player()
    factories.account(shadow, "Kasp77")
    return kept, shadow


def address(kept: Player, absorbed: Player) -> str:
    return reverse("desk-merge", args=[kept.public_id, absorbed.public_id])


def undo_address(merge: Merge) -> str:
    return reverse("desk-merge-undo", args=[merge.pk])


def test_the_preview_shows_both_what_moves_and_the_other_direction(staff, two):
    page = signed_in(staff).get(address(*two))
    assert page.status_code == 200
    assert [part.label for part in page.context["preview"].moving] == ["accounts on platforms"]
    for shown in (
        "Marta Bianchi",
        "PlayStrategy: Kasp77 (declared)",
        "registered on 10 January 2026: new",
    ):
        assert shown in page.content.decode()
    assert address(*reversed(two)) in page.content.decode()
    assert not Merge.objects.exists()


def test_a_pair_that_cannot_be_merged_gets_the_reason_and_no_form(staff):
    kept, other = factories.registered(login=False), factories.registered(first_name="Ada")
    page = signed_in(staff).get(address(kept, other)).content.decode()
    assert "Only Ada Rossi can sign in: let this one stay." in page
    assert "Merge these two players" not in page


def test_two_who_met_at_a_table_get_the_reason_and_no_form(staff, two):
    factories.drafted([[two]])
    page = signed_in(staff).get(address(*two)).content.decode()
    assert "These two sat at one table" in page
    assert "Merge these two players" not in page
    reauthenticated(staff).post(address(*two), {"reason": "same mail"})
    assert not Merge.objects.exists()


def test_a_merge_asks_for_the_password_again(staff, two):
    answer = signed_in(staff).post(address(*two), {"reason": "same mail"})
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert not Merge.objects.exists()


def test_a_merge_with_a_reason_is_done_and_listed(staff, two):
    client = reauthenticated(staff)
    answer = client.post(address(*two), {"reason": "same mail"})
    assert (answer.status_code, answer.url) == (302, reverse("desk-merges"))
    merge = Merge.objects.get()
    assert (merge.kept, merge.absorbed, merge.reason, merge.done_by) == (*two, "same mail", staff)
    listed = client.get(answer.url).content.decode()
    assert "same mail" in listed
    assert undo_address(merge) in listed


def test_without_a_reason_nothing_is_merged_and_the_form_says_so(staff, two):
    page = reauthenticated(staff).post(address(*two), {"reason": " "})
    assert page.status_code == 200
    assert page.context["form"].errors == {"reason": ["This field is required."]}
    assert not Merge.objects.exists()


def test_the_slower_of_two_members_of_staff_is_told(staff, two):
    merging.merge_players(*two, by=staff, reason="first")
    page = reauthenticated(staff).post(address(*two), {"reason": "second try"})
    said = (
        f"not registered: {two[1].public_id} was already merged into another player. Use that one."
    )
    assert page.context["form"].non_field_errors() == [said]
    assert said in page.content.decode()
    assert Merge.objects.get().reason == "first"


def test_nobody_is_merged_with_themselves_or_with_nobody(staff, two):
    client = signed_in(staff)
    assert client.get(address(two[0], two[0])).status_code == 404
    assert (
        client.get(reverse("desk-merge", args=[two[0].public_id, "zzzzzzzzzz"])).status_code == 404
    )


def test_a_merge_is_taken_back_with_a_reason(staff, two):
    merge = merging.merge_players(*two, by=staff, reason="-")
    client = reauthenticated(staff)
    assert client.get(undo_address(merge)).status_code == 200
    assert client.post(undo_address(merge), {"reason": "twins"}).url == reverse("desk-merges")
    assert PlatformAccount.objects.get().player == two[1]
    assert "Taken back on" in client.get(undo_address(merge)).content.decode()


def test_taking_back_twice_is_refused_in_words(staff, two):
    merge = merging.merge_players(*two, by=staff, reason="-")
    client = reauthenticated(staff)
    client.post(undo_address(merge), {"reason": "twins"})
    page = client.post(undo_address(merge), {"reason": "twins"})
    assert page.context["form"].non_field_errors() == ["This merge was already taken back."]


def test_an_empty_list_says_where_a_merge_begins(staff):
    assert (
        "A merge begins on the page of a player."
        in signed_in(staff).get(reverse("desk-merges")).content.decode()
    )


def test_the_list_costs_the_same_whatever_its_length(staff):
    def one_more():
        shadow = factories.player()
        factories.account(shadow)
        merging.merge_players(factories.registered(), shadow, by=staff, reason="-")

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("desk-merges"))
        return len(captured)

    client = signed_in(staff)
    one_more()
    client.get(reverse("desk-merges"))
    with_one = queries()
    one_more()
    one_more()
    assert queries() == with_one
