"""Staff and accounts on the platforms: the queue, the check by a person, renames."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Nickname, PlatformAccount, ProofCode
from pergioco.players.references import find_account_on_file
from pergioco.players.services import proofs
from pergioco.players.views import desk_platforms as desk_accounts
from tests import factories
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
UUID = "6513270e-269e-4d37-b2a7-4de452e6b438"


@pytest.fixture(autouse=True)
def _in_english():
    with override("en"):
        yield


@pytest.fixture
def browser(staff):
    return signed_in(staff)


def waiting(nickname="ninja 77", code="K7QM-2XVD", **person):
    account = factories.account(
        factories.registered(**person),
        nickname,
        platform="bga",
        platform_id=f"~{nickname.casefold()}",
    )
    now = timezone.now()
    ProofCode.objects.create(
        account=account,
        code=code,
        made_at=now,
        expires_at=now + timedelta(days=30),
        for_person=True,
    )
    return account


def queue(browser, **query):
    return browser.get(reverse("desk-accounts"), query)


def listed(answer):
    return [account.nickname for account in answer.context["page"]]


def confirm(browser, account, **values):
    return browser.post(reverse("desk-account", args=[account.pk]), values)


# Who may


@pytest.mark.parametrize("name", ["desk-account", "desk-account-rename", "desk-account-remove"])
@pytest.mark.parametrize("role", ["organizer", "big_organizer", "risiko_director"])
def test_organizers_do_not_see_accounts(name, role):
    account = waiting()
    browser = signed_in(factories.user_with_role(role))
    assert browser.get(reverse(name, args=[account.pk])).status_code == 403
    assert queue(browser).status_code == 403


def test_players_do_not_see_the_queue(player_user):
    assert queue(signed_in(player_user)).status_code == 403


# The queue


def test_the_queue_holds_those_who_asked_for_a_person_oldest_first(browser, clock):
    waiting("first")
    clock.shift(timedelta(minutes=1))
    waiting("second", "ABCD-EFGH")
    factories.account(factories.registered(), "not asked")
    assert listed(queue(browser)) == ["first", "second"]


def test_an_empty_queue_says_so(browser):
    assert "Nobody waits for a check." in queue(browser).content.decode()


def test_the_queue_takes_as_many_queries_for_three_rows_as_for_one(browser):
    waiting("first", "AAAA-AAAA")
    queue(browser)
    with CaptureQueriesContext(connection) as one:
        queue(browser)
    waiting("second", "BBBB-BBBB")
    unregistered = factories.account(
        factories.player(), "third", platform="bga", platform_id="~third"
    )
    now = timezone.now()
    ProofCode.objects.create(
        account=unregistered,
        code="CCCC-CCCC",
        made_at=now,
        expires_at=now + timedelta(days=1),
        for_person=True,
    )
    with CaptureQueriesContext(connection) as three:
        assert len(listed(queue(browser))) == 3
    assert len(three) == len(one)


@pytest.mark.parametrize("query", ["ninja", "NINJA 77", "old name", "rossi", "Zolc", "~ninja 77"])
def test_any_account_is_found_by_nickname_former_nickname_player_or_id(browser, query):
    account = waiting("ninja 77", last_name="Rossi Żółć")
    Nickname.objects.create(
        account=account,
        name="Old Name",
        key="old name",
        valid_from="2025-01-01",
        valid_to="2026-01-01",
    )
    waiting("other", "ABCD-EFGH", last_name="Bianchi")
    assert listed(queue(browser, q=query)) == ["ninja 77"]


def test_a_search_that_finds_nothing_says_what_to_try(browser):
    assert "No account found" in queue(browser, q="nobody").content.decode()


# The check


def test_the_page_shows_the_code_to_look_for(browser):
    account = waiting()
    assert "K7QM-2XVD" in browser.get(reverse("desk-account", args=[account.pk])).content.decode()


def test_a_page_that_does_not_exist(browser):
    assert browser.get(reverse("desk-account", args=[999])).status_code == 404


def test_what_was_seen_as_declared_is_confirmed_at_once(browser, staff):
    account = waiting()
    answer = confirm(browser, account, reference="84000001", nickname="ninja 77")
    assert answer.url == reverse("desk-accounts")
    account.refresh_from_db()
    assert (account.platform_id, account.proof, account.proved_by) == ("84000001", "person", staff)
    assert listed(queue(browser)) == []


def test_a_difference_is_shown_and_needs_a_tick(browser):
    account = waiting()
    answer = confirm(browser, account, reference="84000001", nickname="ninja 78")
    assert "declared ninja 77, seen ninja 78" in answer.content.decode()
    assert 'type="checkbox" name="differs"' in answer.content.decode()
    assert not PlatformAccount.objects.get().is_proved
    confirm(browser, account, reference="84000001", nickname="ninja 78", differs="on")
    account = PlatformAccount.objects.get()
    assert (account.is_proved, account.nickname) == (True, "ninja 78")


def test_another_id_than_the_declared_one_is_a_difference(browser):
    account = factories.account(
        factories.registered(), "ninja 77", platform="bga", platform_id="84000001"
    )
    answer = confirm(browser, account, reference="84000002", nickname="ninja 77")
    assert "declared 84000001, seen 84000002" in answer.content.decode()
    assert not PlatformAccount.objects.get().is_proved


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"reference": "", "nickname": "ninja 77"}, "reference"),
        ({"reference": "84000001", "nickname": ""}, "nickname"),
        ({"reference": "ninja 77", "nickname": "ninja 77"}, "reference"),
        ({"reference": "https://evil.example/player?id=1", "nickname": "ninja 77"}, "reference"),
    ],
)
def test_without_id_and_nickname_nothing_is_confirmed(browser, values, field):
    account = waiting()
    assert list(confirm(browser, account, **values).context["form"].errors) == [field]
    assert not PlatformAccount.objects.get().is_proved


def test_an_account_that_stands_with_another_player_is_named_to_staff(browser):
    holder = factories.account(
        factories.registered(last_name="Bianchi"),
        "ninja 70",
        platform="bga",
        platform_id="84000001",
    )
    account = waiting()
    text = confirm(browser, account, reference="84000001", nickname="ninja 77").content.decode()
    assert "Marta Bianchi" in text
    assert reverse("desk-account", args=[holder.pk]) in text
    assert not PlatformAccount.objects.get(pk=account.pk).is_proved


def test_a_second_confirmation_changes_nothing(browser, staff):
    account = waiting()
    confirm(browser, account, reference="84000001", nickname="ninja 77")
    other = signed_in(factories.user_with_role("staff"))
    answer = confirm(other, account, reference="84000001", nickname="ninja 77")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Changed in the meantime" in text
    assert "This account is proved already: there is nothing left to do." in text
    assert "checked by a person" in text.lower()
    assert PlatformAccount.objects.get().proved_by == staff
    assert AuditEntry.objects.filter(action="account.proved").count() == 1


def test_who_comes_between_reading_and_writing_is_noticed_and_the_page_shows_what_is_now(
    browser, monkeypatch
):
    account = waiting()
    other = factories.user_with_role("staff")

    def meanwhile(platform, found):
        proofs.confirm_account(account, found, by=other, now=timezone.now())
        return find_account_on_file(platform, found)

    monkeypatch.setattr(desk_accounts, "find_account_on_file", meanwhile)
    answer = confirm(browser, account, reference="84000001", nickname="ninja 77")
    assert answer.status_code == 409
    assert (answer.context["account"].proved_by, answer.context["account"].is_proved) == (
        other,
        True,
    )


def test_staff_do_not_check_their_own_account(staff):
    account = waiting(user=staff)
    answer = confirm(signed_in(staff), account, reference="84000001", nickname="ninja 77")
    assert "somebody else has to check it" in answer.content.decode()
    assert not PlatformAccount.objects.get().is_proved


# Renames and removals


def test_pgm_7_staff_record_a_rename_in_a_season_with_the_reason(browser, staff):
    factories.season()
    account = waiting()
    address = reverse("desk-account-rename", args=[account.pk])
    answer = browser.post(address, {"reference": "ninja 78", "reason": "Renamed by the platform"})
    assert answer.url == reverse("desk-account", args=[account.pk])
    assert PlatformAccount.objects.get().nickname == "ninja 78"
    entry = AuditEntry.objects.get(action="account.renamed")
    assert (entry.actor, entry.reason, entry.player) == (
        staff,
        "Renamed by the platform",
        account.player,
    )
    assert (
        "ninja 77, from 1 January 2026 until 12 March 2026"
        in browser.get(answer.url).content.decode()
    )


def test_a_rename_needs_a_reason_and_keeps_what_was_typed(browser):
    account = waiting()
    answer = browser.post(
        reverse("desk-account-rename", args=[account.pk]), {"reference": "ninja 78", "reason": " "}
    )
    assert list(answer.context["form"].errors) == ["reason"]
    assert 'value="ninja 78"' in answer.content.decode()
    assert PlatformAccount.objects.get().nickname == "ninja 77"


def test_a_get_changes_nothing(browser):
    account = waiting()
    for name in ("desk-account", "desk-account-rename", "desk-account-remove"):
        assert browser.get(reverse(name, args=[account.pk])).status_code == 200
    assert (PlatformAccount.objects.get().nickname, AuditEntry.objects.count()) == ("ninja 77", 0)


def test_staff_remove_an_account_that_is_not_the_players(browser):
    account = waiting()
    address = reverse("desk-account-remove", args=[account.pk])
    assert list(browser.post(address, {"reason": ""}).context["form"].errors) == ["reason"]
    assert browser.post(address, {"reason": "Not hers"}).url == reverse("desk-accounts")
    assert PlatformAccount.objects.count() == 0
    assert AuditEntry.objects.get(action="account.removed").reason == "Not hers"


def test_a_proved_account_is_not_removed_by_staff_either(browser):
    account = factories.proved(factories.registered(), "zoe")
    text = browser.post(
        reverse("desk-account-remove", args=[account.pk]), {"reason": "x"}
    ).content.decode()
    assert "This account is proved" in text
    assert PlatformAccount.objects.count() == 1
