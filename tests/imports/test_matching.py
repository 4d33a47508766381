"""Nicknames and the people behind them."""

import unicodedata

import pytest

from pergioco.imports.matching import Decision, Known, is_near, match_nickname
from tests.imports.sample_files import expected

CASES = expected("matching/nick_matching.json")


def on_file() -> list[Known]:
    return [
        Known(
            a["platform"],
            a["source_id"],
            a["nick"],
            a["member"],
            a["verified"],
            tuple(a.get("old_nicks", ())),
        )
        for a in CASES["accounts"]
    ]


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda c: f"{c['platform']}:{c['nick']}")
def test_sample_decisions(case):
    found = match_nickname(case["platform"], case["nick"], case.get("source_id") or "", on_file())
    assert found.decision == case["expect"]
    if "member" in case:
        assert [account.player for account in found.accounts] == [case["member"]]
    if "candidates" in case:
        assert [account.player for account in found.accounts] == case["candidates"]
    if "suggest" in case:
        assert [account.player for account in found.suggestions] == case["suggest"]


def account(
    nickname: str, *, platform: str = "bga", source_id: str = "1", player: int | None = 1, **more
) -> Known:
    return Known(platform, source_id, nickname, player, more.pop("proved", True), **more)


def test_pg_27_decomposed_letters_are_the_same_name():
    found = match_nickname("bga", unicodedata.normalize("NFD", "Žofie"), "", [account("Žofie")])
    assert found.decision == Decision.MATCH


def test_id_of_nobody_on_file_does_not_fall_back_to_the_name_of_another_id():
    found = match_nickname("bga", "Anna", "99", [account("Anna")])
    assert (found.decision, [a.player for a in found.suggestions]) == (Decision.UNREGISTERED, [1])


def test_two_accounts_of_one_name_are_a_question():
    both = [account("Anna"), account("anna", source_id="2", player=2)]
    assert match_nickname("bga", "ANNA", "", both).decision == Decision.AMBIGUOUS


def test_claimed_account_found_by_its_id_is_confirmed_by_a_person():
    assert (
        match_nickname("bga", "x", "1", [account("Anna", proved=False)]).decision
        == Decision.CONFIRM
    )


@pytest.mark.parametrize(
    ("a", "b", "close"),
    [
        ("marta", "marta", True),
        ("marta", "martha", True),
        ("marta", "mart", True),
        ("marta", "karta", True),
        ("marta", "marco", False),
        ("ann", "anna", False),
        ("", "", False),
    ],
)
def test_one_letter_apart(a, b, close):
    assert is_near(a, b) is close
    assert is_near(b, a) is close
