"""Accounts on the platforms: added, renamed, taken away. PGM 7: one each, and its nickname stays in
a season."""

from datetime import date

import pytest
from django.db import connection
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.players.models import Nickname, PlatformAccount, Player
from pergioco.players.references import read_reference
from pergioco.players.services import accounts
from pergioco.players.services.accounts import (
    NICKNAME_STAYS,
    TAKEN,
    Reference,
    add_account,
    find_account_on_file,
    remove_account,
    rename_account,
    rename_account_by_staff,
)
from tests import factories

TODAY = date(2026, 3, 12)
UUID = "6513270e-269e-4d37-b2a7-4de452e6b438"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


def declare(player, platform, text):
    return add_account(player, platform, read_reference(platform, text), by=None, on=TODAY)


def names_of(account):
    return [
        (name.name, name.valid_from, name.valid_to) for name in account.nicknames.order_by("id")
    ]


@pytest.mark.parametrize(
    ("platform", "text", "key", "shown"),
    [
        ("playstrategy", "Zugzwang_Zoe", "zugzwang_zoe", "Zugzwang_Zoe"),
        ("bga", "Łukasz K", "~łukasz k", "Łukasz K"),
        ("bga", "https://boardgamearena.com/player?id=84000001", "84000001", "84000001"),
        ("abstractplay", "João Prado", "~joão prado", "João Prado"),
        ("abstractplay", UUID, UUID, UUID),
    ],
)
def test_an_account_is_kept_under_its_id_or_under_the_folded_nickname_until_the_id_is_known(
    platform, text, key, shown
):
    account = declare(factories.player(), platform, text)
    assert (account.platform_id, account.nickname, account.proof) == (key, shown, "claimed")


def test_adding_leaves_a_trace_of_who_and_what():
    player = factories.registered()
    account = add_account(
        player, "bga", Reference(None, "ninja 77"), by=player.person.user, on=TODAY
    )
    entry = AuditEntry.objects.about(player).get(action="account.added")
    assert (entry.actor, entry.role, entry.object_id) == (
        player.person.user,
        "player",
        str(account.pk),
    )
    assert entry.changes["nickname"] == ["", "ninja 77"]


@pytest.mark.parametrize(
    ("platform", "held", "asked"),
    [
        ("playstrategy", "Zugzwang_Zoe", "https://playstrategy.org/@/zugzwang_zoe"),
        ("playstrategy", "Zugzwang_Zoe", "ZUGZWANG_ZOE"),
        ("bga", "Łukasz K", "ŁUKASZ  K"),
        ("bga", "84000001 ", "84000001"),
        ("abstractplay", UUID, f"https://play.abstractplay.com/player/{UUID}"),
        ("abstractplay", "jack", "Jack"),
    ],
)
def test_a_taken_account_is_refused(platform, held, asked):
    declare(factories.player(), platform, held)
    with pytest.raises(Refused) as refused:
        declare(factories.player(), platform, asked)
    assert (refused.value.sentence, refused.value.field) == (TAKEN, "reference")
    assert PlatformAccount.objects.count() == 1


def test_the_same_name_on_another_platform_is_another_account():
    declare(factories.player(), "bga", "jack")
    assert declare(factories.player(), "abstractplay", "jack").platform_id == "~jack"


def test_pgm_7_a_second_account_on_the_same_platform_is_refused():
    player = factories.player()
    declare(player, "playstrategy", "zoe")
    with pytest.raises(Refused, match="PGM 7"):
        declare(player, "playstrategy", "zoe2")


def test_an_account_that_is_already_mine_is_called_mine():
    player = factories.player()
    declare(player, "playstrategy", "zoe")
    with pytest.raises(Refused, match="already in your list"):
        declare(player, "playstrategy", "zoe")


def test_losing_the_race_for_an_account_is_a_sentence_and_the_transaction_goes_on(monkeypatch):
    """The other one came after we looked and before we wrote: the constraint decides."""
    declare(factories.player(), "playstrategy", "zoe")
    monkeypatch.setattr(accounts, "find_account_on_file", lambda *_: None)
    with pytest.raises(Refused) as refused:
        declare(factories.player(), "playstrategy", "zoe")
    assert refused.value.sentence == TAKEN
    assert not connection.needs_rollback
    assert PlatformAccount.objects.count() == 1


def test_the_holder_is_found_by_id_then_by_the_nickname_in_use():
    account = factories.account(
        factories.player(), "Łukasz K", platform="bga", platform_id="84000001"
    )
    assert find_account_on_file("bga", Reference("84000001", "")) == account
    assert find_account_on_file("bga", Reference(None, "łukasz k")) == account
    assert find_account_on_file("bga", Reference(None, "Lukasz K")) is None
    assert find_account_on_file("playstrategy", Reference("84000001", "Łukasz K")) is None


def test_another_id_is_another_account_whatever_its_nickname():
    factories.account(factories.player(), "ninja 77", platform="bga", platform_id="84000001")
    assert find_account_on_file("bga", Reference("84000002", "ninja 77")) is None


def test_a_declared_nickname_holds_the_account_also_for_those_who_know_the_id():
    declared = declare(factories.player(), "bga", "ninja 77")
    assert find_account_on_file("bga", Reference("84000002", "ninja 77")) == declared


def test_a_former_nickname_holds_nothing():
    account = factories.account(
        factories.player(), "old one", platform="bga", platform_id="84000001"
    )
    Nickname.objects.filter(account=account).update(valid_to=TODAY)
    assert find_account_on_file("bga", Reference(None, "old one")) is None


def test_on_abstract_play_a_name_proves_nothing_because_many_may_bear_it():
    factories.account(factories.player(), "jack", platform="abstractplay", platform_id=UUID)
    assert find_account_on_file("abstractplay", Reference(None, "jack")) is None


@pytest.mark.parametrize("gone", ["merged", "erased"])
def test_accounts_of_a_merged_or_erased_player_never_change(gone):
    player = factories.player()
    account = factories.account(player, "zoe", platform="bga")
    other = factories.player()
    values = {"merged_into": other} if gone == "merged" else {"erased_at": timezone.now()}
    Player.objects.filter(pk=player.pk).update(**values)
    user = factories.user()
    attempts = [
        lambda: declare(player, "playstrategy", "zoe"),
        lambda: rename_account_by_staff(
            account, Reference(None, "zoe2"), by=user, on=TODAY, reason="x"
        ),
        lambda: remove_account(account, by=user, on=TODAY, season_is_running=False),
    ]
    for attempt in attempts:
        with pytest.raises(Refused, match="merged with another or removed"):
            attempt()
    assert names_of(account) == [("zoe", date(2026, 1, 1), None)]


def test_an_account_that_moved_to_another_player_in_the_meantime_is_left_alone():
    account = factories.account(factories.player(), "zoe")
    PlatformAccount.objects.filter(pk=account.pk).update(player=factories.player())
    with pytest.raises(Refused, match="in the meantime"):
        rename_account_by_staff(
            account, Reference(None, "zoe2"), by=factories.user(), on=TODAY, reason="x"
        )


def test_a_rename_closes_the_old_nickname_and_opens_the_new_one():
    player = factories.registered()
    account = factories.account(player, "ninja 77", platform="bga", platform_id="84000001")
    rename_account(
        account,
        Reference(None, "ninja 78"),
        by=player.person.user,
        on=TODAY,
        season_is_running=False,
    )
    assert names_of(account) == [("ninja 77", date(2026, 1, 1), TODAY), ("ninja 78", TODAY, None)]
    entry = AuditEntry.objects.about(player).get(action="account.renamed")
    assert entry.changes == {"nickname": ["ninja 77", "ninja 78"]}


def test_pgm_7_nickname_change_in_a_running_season_is_refused():
    player = factories.registered()
    account = factories.account(player, "ninja 77", platform="bga", platform_id="84000001")
    with pytest.raises(Refused) as refused:
        rename_account(
            account,
            Reference(None, "ninja 78"),
            by=player.person.user,
            on=TODAY,
            season_is_running=True,
        )
    assert refused.value.sentence == NICKNAME_STAYS
    assert account.nicknames.get().name == "ninja 77"


def test_pgm_7_the_link_of_another_account_is_a_change_of_nickname_too():
    player = factories.registered()
    account = factories.account(player, "ninja 77", platform="bga", platform_id="84000001")
    with pytest.raises(Refused, match="PGM 7"):
        rename_account(
            account,
            Reference("84000002", ""),
            by=player.person.user,
            on=TODAY,
            season_is_running=True,
        )


@pytest.mark.parametrize("state", ["mail", "refused"])
def test_pgm_7_before_the_registration_counts_a_slip_may_be_mended(state):
    player = factories.registered(state=state)
    account = declare(player, "bga", "ninja 77")
    rename_account(
        account,
        Reference(None, "ninja 78"),
        by=player.person.user,
        on=TODAY,
        season_is_running=True,
    )
    assert PlatformAccount.objects.get().platform_id == "~ninja 78"


def test_pgm_7_saying_which_id_a_nickname_has_is_no_change_of_nickname():
    player = factories.registered()
    account = declare(player, "abstractplay", "jack")
    rename_account(
        account, Reference(UUID, ""), by=player.person.user, on=TODAY, season_is_running=True
    )
    account.refresh_from_db()
    assert (account.platform_id, account.nickname) == (UUID, "jack")


def test_pgm_7_the_first_nickname_of_an_account_known_by_its_id_is_no_change():
    player = factories.registered()
    account = declare(player, "bga", "https://boardgamearena.com/player?id=84000001")
    rename_account(
        account,
        Reference(None, "ninja 77"),
        by=player.person.user,
        on=TODAY,
        season_is_running=True,
    )
    assert names_of(account) == [("ninja 77", TODAY, None)]


def test_pgm_7_staff_record_a_rename_inside_a_season_with_a_reason():
    player, staff = factories.registered(), factories.user_with_role("staff")
    account = factories.account(player, "ninja 77", platform="bga", platform_id="84000001")
    rename_account_by_staff(
        account, Reference(None, "ninja 78"), by=staff, on=TODAY, reason=" BGA renamed it "
    )
    entry = AuditEntry.objects.about(player).get(action="account.renamed")
    assert (entry.actor, entry.role, entry.reason) == (staff, "staff", "BGA renamed it")
    assert account.nicknames.get(valid_to=None).name == "ninja 78"


def test_a_rename_by_staff_without_a_reason_is_refused():
    account = factories.account(factories.player(), "zoe", platform="bga")
    with pytest.raises(Refused) as refused:
        rename_account_by_staff(
            account, Reference(None, "zoe2"), by=factories.user(), on=TODAY, reason="  "
        )
    assert refused.value.field == "reason"


def test_another_id_is_another_account_and_its_proof_does_not_carry_over():
    account = factories.proved(factories.player(), "zoe")
    rename_account_by_staff(
        account,
        Reference("zoe2", "Zoe2"),
        by=factories.user(),
        on=TODAY,
        reason="closed the old one",
    )
    account.refresh_from_db()
    assert (account.platform_id, account.proof, account.proved_at) == ("zoe2", "claimed", None)


def test_another_name_of_the_same_account_stays_proved():
    account = factories.proved(
        factories.player(), "ninja 77", platform="bga", platform_id="84000001"
    )
    rename_account_by_staff(
        account, Reference(None, "ninja 78"), by=factories.user(), on=TODAY, reason="renamed there"
    )
    account.refresh_from_db()
    assert (account.platform_id, account.proof) == ("84000001", "code")


def test_a_rename_to_the_nickname_of_somebody_else_is_refused():
    factories.account(factories.player(), "ninja 78", platform="bga", platform_id="84000002")
    account = factories.account(
        factories.player(), "ninja 77", platform="bga", platform_id="84000001"
    )
    with pytest.raises(Refused) as refused:
        rename_account_by_staff(
            account, Reference(None, "Ninja 78"), by=factories.user(), on=TODAY, reason="x"
        )
    assert refused.value.sentence == TAKEN


def test_a_rename_sent_twice_changes_and_logs_once():
    player = factories.registered()
    account = declare(player, "bga", "ninja 77")
    for _ in range(2):
        rename_account(
            account,
            Reference(None, "ninja 78"),
            by=player.person.user,
            on=TODAY,
            season_is_running=False,
        )
    assert names_of(account) == [("ninja 77", TODAY, TODAY), ("ninja 78", TODAY, None)]
    assert AuditEntry.objects.filter(action="account.renamed").count() == 1


def test_what_was_declared_by_mistake_is_removed_and_the_removal_is_on_file():
    player = factories.registered()
    account = declare(player, "bga", "ninja 77")
    remove_account(account, by=player.person.user, on=TODAY, season_is_running=False)
    assert PlatformAccount.objects.count() == 0
    assert AuditEntry.objects.about(player).get(action="account.removed").changes["nickname"] == [
        "ninja 77",
        "",
    ]


def test_a_proved_account_stays():
    player = factories.registered()
    account = factories.proved(player, "zoe")
    with pytest.raises(Refused, match="proved"):
        remove_account(account, by=player.person.user, on=TODAY, season_is_running=False)
    with pytest.raises(Refused, match="proved"):
        accounts.remove_account_by_staff(account, by=factories.user(), reason="x")
    assert PlatformAccount.objects.count() == 1


def test_pgm_7_in_a_season_an_account_is_removed_only_on_the_day_it_was_declared(clock):
    player = factories.registered()
    account = declare(player, "bga", "ninja 77")
    clock.move_to("2026-03-13T10:00:00+00:00")
    with pytest.raises(Refused) as refused:
        remove_account(account, by=player.person.user, on=date(2026, 3, 13), season_is_running=True)
    assert refused.value.sentence == NICKNAME_STAYS
    clock.move_to("2026-03-12T22:00:00+00:00")
    remove_account(account, by=player.person.user, on=TODAY, season_is_running=True)
    assert PlatformAccount.objects.count() == 0


def test_an_account_removed_twice_is_a_sentence():
    player = factories.registered()
    account = declare(player, "bga", "ninja 77")
    again = PlatformAccount.objects.get()
    remove_account(account, by=player.person.user, on=TODAY, season_is_running=False)
    with pytest.raises(Refused, match="no longer in the list"):
        remove_account(again, by=player.person.user, on=TODAY, season_is_running=False)


def test_staff_remove_what_is_not_the_players_and_say_why():
    player, staff = factories.registered(), factories.user_with_role("staff")
    account = declare(player, "bga", "ninja 77")
    with pytest.raises(Refused) as refused:
        accounts.remove_account_by_staff(account, by=staff, reason=" ")
    assert refused.value.field == "reason"
    accounts.remove_account_by_staff(account, by=staff, reason="It belongs to another player.")
    entry = AuditEntry.objects.about(player).get(action="account.removed")
    assert (entry.actor, entry.reason) == (staff, "It belongs to another player.")
