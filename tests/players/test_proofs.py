"""Proving an account: the code, what the platforms answer, and the person who looks."""

import json
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from pergioco.core import fetcher
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.fetcher import ODD, SILENT, FetchFailed
from pergioco.core.refusal import Refused
from pergioco.players.models import PlatformAccount, ProofCode
from pergioco.players.references import read_reference
from pergioco.players.services import platforms, proofs
from pergioco.players.services.accounts import (
    TAKEN,
    Reference,
    add_account,
    rename_account_by_staff,
)
from pergioco.players.services.proofs import ALREADY_PROVED, USED_MEANWHILE
from tests import factories
from tests.players import stand_in
from tests.players.stand_in import says

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
UUID = "9531985d-5d9d-49f8-9818-e811892f902b"
OTHER_UUID = "8e81973e-0bec-47b0-b898-d190f9ebdacc"


class Asked(list):
    """Stands in for the fetcher: gives the answer, and remembers the questions."""

    answer: object = None

    def __call__(self, platform, path):
        self.append((platform, path))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def asked(monkeypatch):
    made = Asked()
    monkeypatch.setattr(fetcher, "get_json", made)
    return made


def declared(text, platform="playstrategy", player=None):
    player = player or factories.registered()
    return add_account(
        player, platform, read_reference(platform, text), by=None, on=timezone.localdate()
    )


def owner(account):
    return account.player.person.user


def coded(account, code="K7QM-2XVD", *, for_person=False):
    """The account with an open code that is known to the test."""
    made = proofs.make_proof_code(
        account, by=owner(account), now=timezone.now(), for_person=for_person
    )
    ProofCode.objects.filter(pk=made.pk).update(code=code)
    return account


def check(account):
    proofs.check_proof(account, by=owner(account), now=timezone.now())


def refusal(account):
    with pytest.raises(Refused) as refused:
        check(account)
    return str(refused.value.sentence)


def profile(bio="fed-verify: K7QM-2XVD", **fields):
    return {"id": "zugzwang_zoe", "username": "Zugzwang_Zoe", "profile": {"bio": bio}, **fields}


def row(name, about="", uuid=UUID, *, bot=False):
    return {"id": uuid, "name": name, "about": about, "bot": bot, "country": "", "lastSeen": 1}


# The code


def test_a_code_is_eight_clear_letters_good_for_an_hour():
    code = proofs.make_proof_code(
        declared("zoe"), by=factories.user(), now=timezone.now(), for_person=False
    )
    letters = code.code.replace("-", "")
    assert len(letters) == 8
    assert not set(letters) & set("0O1IL")
    assert code.expires_at - code.made_at == timedelta(hours=1)
    assert (
        proofs.find_open_code(code.account, code.made_at + timedelta(minutes=59), for_person=False)
        == code
    )
    assert proofs.find_open_code(code.account, code.expires_at, for_person=False) is None


def test_a_new_code_replaces_the_one_before():
    account = coded(declared("zoe"))
    proofs.make_proof_code(account, by=owner(account), now=timezone.now(), for_person=False)
    assert account.codes.count() == 1
    assert account.codes.get().code != "K7QM-2XVD"


def test_a_request_to_staff_and_a_code_for_the_platform_do_not_disturb_each_other():
    account = coded(coded(declared("zoe")), "ABCD-EFGH", for_person=True)
    assert sorted(account.codes.values_list("code", "for_person")) == [
        ("ABCD-EFGH", True),
        ("K7QM-2XVD", False),
    ]


def test_on_board_game_arena_only_a_person_looks(asked):
    account = declared("ninja 77", "bga")
    with pytest.raises(Refused, match="by a person"):
        proofs.make_proof_code(account, by=owner(account), now=timezone.now(), for_person=False)
    coded(account, for_person=True)
    assert "run out" in refusal(account)
    assert asked == []


def test_a_proved_account_needs_no_code():
    account = factories.proved(factories.registered(), "zoe")
    with pytest.raises(Refused) as refused:
        proofs.make_proof_code(account, by=owner(account), now=timezone.now(), for_person=False)
    assert refused.value.sentence == ALREADY_PROVED


def test_codes_are_forgotten_a_day_after_they_ran_out():
    account = coded(declared("zoe"))
    end = account.codes.get().expires_at
    assert proofs.delete_old_codes(end + timedelta(hours=24)) == 0
    assert proofs.delete_old_codes(end + timedelta(hours=24, seconds=1)) == 1


# PlayStrategy


def test_the_code_in_the_biography_proves_the_account(asked):
    account = coded(declared("ZUGZWANG_zoe"))
    asked.answer = profile()
    check(account)
    account.refresh_from_db()
    assert (account.proof, account.proved_at, account.proved_by) == ("code", timezone.now(), None)
    assert asked == [("playstrategy", "/api/user/zugzwang_zoe")]
    assert account.codes.get().used_at == timezone.now()
    entry = AuditEntry.objects.about(account.player).get(action="account.proved")
    assert (entry.actor, entry.changes) == (owner(account), {"proof": ["claimed", "code"]})


def test_the_code_counts_also_in_small_letters(asked):
    account = coded(declared("Zugzwang_Zoe"))
    asked.answer = profile("othello, k7qm-2xvd")
    check(account)
    assert PlatformAccount.objects.get().is_proved


@pytest.mark.parametrize("bio", ["", "K7QM-2XVE", "K7QM 2XVD"])
def test_a_code_that_is_not_there_yet_stays_good(asked, bio):
    account = coded(declared("Zugzwang_Zoe"))
    asked.answer = profile(bio)
    assert "not in your profile yet" in refusal(account)
    asked.answer = profile()
    check(account)
    assert PlatformAccount.objects.get().is_proved


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"id": "zugzwang_zoe", "username": "Zugzwang_Zoe", "closed": True}, "closed"),
        ({"id": "zugzwang_zoe", "username": "Zugzwang_Zoe"}, "not in your profile yet"),
        ({"id": "zugzwang_zoe", "profile": None}, "not in your profile yet"),
        ({"id": "zugzwang_zoe", "profile": {"bio": 7}}, "not in your profile yet"),
        (FetchFailed("gone", missing=True), "knows no account"),
    ],
)
def test_why_a_playstrategy_account_is_not_proved(asked, answer, words):
    account = coded(declared("Zugzwang_Zoe"))
    asked.answer = answer
    assert words in refusal(account)
    assert not PlatformAccount.objects.get().is_proved


@pytest.mark.parametrize(
    "answer", [profile(id="zugzwang-zoe"), [], "text", None, {"username": "Zugzwang_Zoe"}]
)
def test_an_answer_about_something_else_counts_as_no_answer(asked, answer):
    account = coded(declared("Zugzwang_Zoe"))
    asked.answer = answer
    with pytest.raises(FetchFailed) as failed:
        check(account)
    assert failed.value.sentence == ODD


def test_a_silent_platform_costs_nothing(asked):
    account = coded(declared("Zugzwang_Zoe"))
    asked.answer = FetchFailed(SILENT)
    with pytest.raises(FetchFailed):
        check(account)
    assert proofs.find_open_code(account, timezone.now(), for_person=False) is not None


def test_a_code_that_has_run_out_is_not_looked_for(asked, clock):
    account = coded(declared("Zugzwang_Zoe"))
    clock.shift(timedelta(hours=1))
    assert "run out" in refusal(account)
    assert asked == []


def test_the_code_of_another_account_proves_nothing(asked):
    coded(declared("other"))
    account = coded(declared("Zugzwang_Zoe"), "WXYZ-2345")
    asked.answer = profile()
    assert "not in your profile yet" in refusal(account)


def test_an_id_that_the_platform_could_not_have_given_is_not_asked_for(asked):
    account = factories.account(factories.registered(), "zoe", platform_id="../admin")
    assert "knows no account" in refusal(coded(account))
    assert asked == []


def test_two_checks_at_once_use_the_code_once(monkeypatch):
    """The second check overtakes the first while that one waits for the platform."""
    account = coded(declared("Zugzwang_Zoe"))

    def overtaken(_platform, _path):
        monkeypatch.setattr(fetcher, "get_json", lambda *_: profile())
        check(PlatformAccount.objects.get())
        return profile()

    monkeypatch.setattr(fetcher, "get_json", overtaken)
    assert refusal(account) == USED_MEANWHILE
    assert AuditEntry.objects.filter(action="account.proved").count() == 1


def test_an_account_renamed_during_the_check_is_not_proved_by_it(monkeypatch):
    account = coded(declared("Zugzwang_Zoe"))

    def meanwhile(_platform, _path):
        again = PlatformAccount.objects.get()
        rename_account_by_staff(
            again,
            Reference("victim", "Victim"),
            by=factories.user(),
            on=timezone.localdate(),
            reason="x",
        )
        return profile()

    monkeypatch.setattr(fetcher, "get_json", meanwhile)
    assert refusal(account) == USED_MEANWHILE
    assert (PlatformAccount.objects.get().platform_id, PlatformAccount.objects.get().proof) == (
        "victim",
        "claimed",
    )


def test_no_transaction_is_open_while_the_platform_is_asked(monkeypatch):
    account = coded(declared("Zugzwang_Zoe"))
    outside = len(connection.savepoint_ids)
    depths = []

    def ask(_platform, _path):
        depths.append(len(connection.savepoint_ids))
        return profile()

    monkeypatch.setattr(fetcher, "get_json", ask)
    check(account)
    assert depths == [outside]


# Abstract Play


def test_the_code_in_about_proves_the_account_and_tells_its_id(asked):
    account = coded(declared("李小龍", "abstractplay"), "9XPL-44TA")
    asked.answer = [
        row("zoe k.", uuid=OTHER_UUID),
        row("李小龍", "I like hex games.\nfed-verify: 9XPL-44TA"),
    ]
    check(account)
    account.refresh_from_db()
    assert (account.platform_id, account.proof, account.nickname) == (UUID, "code", "李小龍")
    assert asked == [("abstractplay", "/prod/query?query=user_names")]
    entry = AuditEntry.objects.about(account.player).get(action="account.proved")
    assert entry.changes["platform_id"] == ["~李小龍", UUID]


def test_an_account_named_by_its_link_learns_its_nickname(asked):
    account = coded(declared(UUID, "abstractplay"))
    asked.answer = [row("  Trailing Space ", "K7QM-2XVD")]
    check(account)
    assert PlatformAccount.objects.get().nickname == "Trailing Space"


@pytest.mark.parametrize(
    ("directory", "words"),
    [
        ([row("Somebody", "K7QM-2XVD")], "knows no account"),
        ([row("jack"), row("jack", "K7QM-2XVD", OTHER_UUID)], "Several accounts"),
        ([row("JACK"), row("Jack", "K7QM-2XVD", OTHER_UUID)], "Several accounts"),
        ([row("jack", "K7QM-2XVD", bot=True)], "program"),
        ([row("jack", None)], "not in your profile yet"),
        ([{"name": "jack"}], "not in your profile yet"),
        ([], "knows no account"),
        (["jack", None, 7], "knows no account"),
    ],
)
def test_why_an_abstract_play_account_is_not_proved(asked, directory, words):
    account = coded(declared("jack", "abstractplay"))
    asked.answer = directory
    assert words in refusal(account)
    assert PlatformAccount.objects.get().platform_id == "~jack"


def test_a_name_written_exactly_so_is_told_from_one_in_other_case(asked):
    account = coded(declared("jack", "abstractplay"))
    asked.answer = [row("Jack", uuid=OTHER_UUID), row("jack", "K7QM-2XVD")]
    check(account)
    assert PlatformAccount.objects.get().platform_id == UUID


def test_pgm_7_the_link_of_an_account_with_another_name_does_not_change_the_nickname(asked):
    account = declared("jack", "abstractplay")
    PlatformAccount.objects.filter(pk=account.pk).update(platform_id=UUID)
    account.refresh_from_db()
    asked.answer = [row("Rando", "K7QM-2XVD")]
    assert "“Rando”" in refusal(coded(account))


def test_an_id_that_stands_with_another_player_is_refused_and_nothing_is_lost(asked):
    factories.account(factories.player(), "jack", platform="abstractplay", platform_id=UUID)
    account = coded(declared("jack", "abstractplay"))
    asked.answer = [row("jack", "K7QM-2XVD")]
    assert refusal(account) == TAKEN
    account.refresh_from_db()
    assert (account.platform_id, account.is_proved) == ("~jack", False)
    assert proofs.find_open_code(account, timezone.now(), for_person=False) is not None


def test_the_directory_is_asked_for_once_a_minute_by_all_together(asked, clock):
    first, second = (
        coded(declared("jack", "abstractplay")),
        coded(declared("zoe", "abstractplay"), "ABCD-EFGH"),
    )
    asked.answer = []
    assert "knows no account" in refusal(first)
    clock.shift(timedelta(seconds=20))
    with pytest.raises(FetchFailed, match=r"in 40 seconds\."):
        check(second)
    clock.shift(timedelta(seconds=39))
    with pytest.raises(FetchFailed, match=r"in 1 second\."):
        check(second)
    clock.shift(timedelta(seconds=2))
    assert "knows no account" in refusal(second)
    assert len(asked) == 2


def test_nothing_of_the_directory_is_kept(asked):
    account = coded(declared("jack", "abstractplay"))
    asked.answer = [row("jack", "K7QM-2XVD"), row("Canary", uuid=OTHER_UUID)]
    check(account)
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM core_shortmemory")
        keys = [key for (key,) in cursor.fetchall()]
    assert keys == [cache.make_key(platforms.DIRECTORY_ASKED_AT)]
    assert not PlatformAccount.objects.filter(platform_id=OTHER_UUID).exists()


@pytest.mark.parametrize("answer", [{}, None, "x"])
def test_a_directory_of_another_shape_counts_as_no_answer(asked, answer):
    account = coded(declared("jack", "abstractplay"))
    asked.answer = answer
    with pytest.raises(FetchFailed) as failed:
        check(account)
    assert failed.value.sentence == ODD


# A person


def test_a_request_puts_the_account_into_the_queue_until_somebody_looked(clock):
    second = coded(declared("ninja 78", "bga"), "ABCD-EFGH", for_person=True)
    clock.shift(timedelta(minutes=1))
    # listed once, though it has two codes
    first = coded(coded(declared("zoe")), "BCDE-FGHJ", for_person=True)
    coded(declared("another"), "WXYZ-2345")
    assert list(proofs.accounts_awaiting_check(timezone.now())) == [second, first]
    staff = factories.user_with_role("staff")
    proofs.confirm_account(first, Reference("zoe", "zoe"), by=staff, now=timezone.now())
    assert list(proofs.accounts_awaiting_check(timezone.now())) == [second]
    clock.shift(timedelta(days=30))
    assert list(proofs.accounts_awaiting_check(timezone.now())) == []


def test_what_the_person_saw_is_kept_with_who_and_when():
    account = coded(declared("ninja 77", "bga"), for_person=True)
    staff = factories.user_with_role("staff")
    proofs.confirm_account(account, Reference("84000001", "Ninja 78"), by=staff, now=timezone.now())
    account.refresh_from_db()
    assert (account.proof, account.proved_by, account.proved_at) == (
        "person",
        staff,
        timezone.now(),
    )
    assert (account.platform_id, account.nickname) == ("84000001", "Ninja 78")
    assert [name.name for name in account.nicknames.order_by("id")] == ["ninja 77", "Ninja 78"]
    entry = AuditEntry.objects.about(account.player).get(action="account.proved")
    assert (entry.actor, entry.role) == (staff, "staff")
    assert entry.changes == {
        "platform_id": ["~ninja 77", "84000001"],
        "nickname": ["ninja 77", "Ninja 78"],
        "proof": ["claimed", "person"],
    }


@pytest.mark.parametrize("platform", ["bga", "playstrategy", "abstractplay"])
def test_a_person_may_confirm_on_every_platform(platform):
    account = declared("jack", platform)
    found = Reference({"bga": "84", "playstrategy": "jack", "abstractplay": UUID}[platform], "jack")
    proofs.confirm_account(account, found, by=factories.user_with_role("staff"), now=timezone.now())
    assert PlatformAccount.objects.get().proof == "person"


def test_nobody_confirms_their_own_account():
    account = declared("ninja 77", "bga")
    with pytest.raises(Refused, match="somebody else"):
        proofs.confirm_account(
            account, Reference("84000001", "ninja 77"), by=owner(account), now=timezone.now()
        )


def test_an_account_is_confirmed_once():
    account = declared("ninja 77", "bga")
    first, second = factories.user_with_role("staff"), factories.user_with_role("staff")
    proofs.confirm_account(account, Reference("84000001", "ninja 77"), by=first, now=timezone.now())
    with pytest.raises(Refused) as refused:
        proofs.confirm_account(
            account, Reference("84000001", "ninja 77"), by=second, now=timezone.now()
        )
    assert refused.value.sentence == ALREADY_PROVED
    assert PlatformAccount.objects.get().proved_by == first


def test_an_id_of_another_player_is_not_confirmed():
    factories.account(factories.player(), "ninja 70", platform="bga", platform_id="84000001")
    account = declared("ninja 77", "bga")
    with pytest.raises(Refused) as refused:
        proofs.confirm_account(
            account,
            Reference("84000001", "ninja 77"),
            by=factories.user_with_role("staff"),
            now=timezone.now(),
        )
    assert refused.value.sentence == TAKEN


# From end to end


@pytest.fixture
def platform(monkeypatch, settings):
    settings.PLAYSTRATEGY_HOST = settings.ABSTRACT_PLAY_API_HOST = stand_in.HOST
    with stand_in.platform() as standing_in:
        made = standing_in.fetcher()
        monkeypatch.setattr(fetcher, "Fetcher", lambda: made)
        yield standing_in


def test_a_real_answer_of_playstrategy_through_the_real_client(platform):
    account = coded(declared("ZUGZWANG_ZOE"))
    platform.answer = says(json.dumps(profile()).encode())
    check(account)
    assert platform.asked == ["/api/user/zugzwang_zoe"]
    assert PlatformAccount.objects.get().proof == "code"


def test_a_real_answer_of_abstract_play_through_the_real_client(platform):
    account = coded(declared("李小龍", "abstractplay"))
    platform.answer = says(json.dumps([row("李小龍", "K7QM-2XVD")]).encode())
    check(account)
    assert parse_qs(urlsplit(platform.asked[0]).query) == {"query": ["user_names"]}
    assert PlatformAccount.objects.get().platform_id == UUID
