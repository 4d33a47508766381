"""What people type or paste to say which account they mean."""

import pytest

from pergioco.core.refusal import Refused
from pergioco.players.references import (
    Reference,
    example_link,
    nickname_key,
    profile_link,
    read_checked_account,
    read_reference,
)

UUID = "6513270e-269e-4d37-b2a7-4de452e6b438"


@pytest.mark.parametrize(
    ("platform", "text", "platform_id", "nickname"),
    [
        ("bga", "ninja 77", None, "ninja 77"),
        ("bga", "  Łukasz   K\u200b ", None, "Łukasz K"),
        ("bga", "12345", None, "12345"),
        ("bga", "https://boardgamearena.com/player?id=84000001", "84000001", ""),
        ("bga", "https://it.boardgamearena.com/player?id=84000001", "84000001", ""),
        (
            "bga",
            "https://zh-cn.boardgamearena.com/player?id=84000001&section=recent",
            "84000001",
            "",
        ),
        ("bga", "en.boardgamearena.com/player?id=84000001", "84000001", ""),
        ("playstrategy", "Zugzwang_Zoe", "zugzwang_zoe", "Zugzwang_Zoe"),
        ("playstrategy", "zugzwang-zoe", "zugzwang-zoe", "zugzwang-zoe"),
        ("playstrategy", "https://playstrategy.org/@/Zugzwang_Zoe", "zugzwang_zoe", "Zugzwang_Zoe"),
        ("playstrategy", "playstrategy.org/@/Zugzwang_Zoe/all", "zugzwang_zoe", "Zugzwang_Zoe"),
        ("abstractplay", "Bad Art > Worse Art", None, "Bad Art > Worse Art"),
        ("abstractplay", "Ωmega🌲", None, "Ωmega🌲"),
        ("abstractplay", f"https://play.abstractplay.com/player/{UUID}", UUID, ""),
        ("abstractplay", f"https://play.abstractplay.com/player/{UUID.upper()}/", UUID, ""),
        ("abstractplay", UUID, UUID, ""),
    ],
)
def test_a_nickname_or_the_link_of_a_profile(platform, text, platform_id, nickname):
    assert read_reference(platform, text) == Reference(platform_id, nickname)


@pytest.mark.parametrize(
    ("platform", "text"),
    [
        ("bga", ""),
        ("bga", " \u200b "),
        ("bga", "x" * 61),
        ("bga", "ﷺ" * 20),  # short to look at, long once it is spelled out
        ("bga", "https://boardgamearena.com/player?id=abc"),
        ("bga", "https://boardgamearena.com/player?id=0"),
        ("bga", "https://boardgamearena.com/player?id=1&id=2"),
        ("bga", "https://boardgamearena.com/table?table=84000001"),
        ("bga", "https://boardgamearena.com.evil.example/player?id=84000001"),
        ("bga", "https://evil.example/boardgamearena.com/player?id=84000001"),
        ("bga", "http://[::1/x"),
        ("playstrategy", "x"),
        ("playstrategy", "a" * 31),
        ("playstrategy", "Łukasz"),
        ("playstrategy", "_zoe"),
        ("playstrategy", "zoe k"),
        ("playstrategy", "ſam"),  # a long s is no s
        ("playstrategy", "https://playstrategy.org/swiss/abcdefgh"),
        ("playstrategy", "https://boardgamearena.com/player?id=84000001"),
        ("abstractplay", "https://play.abstractplay.com/player/zoe"),
        ("abstractplay", f"https://play.abstractplay.com/tournament/{UUID}"),
    ],
)
def test_what_names_no_account_is_refused_with_a_sentence_for_the_field(platform, text):
    with pytest.raises(Refused) as refused:
        read_reference(platform, text)
    assert refused.value.field == "reference"


@pytest.mark.parametrize("platform", ["bga", "playstrategy", "abstractplay"])
def test_the_link_that_is_shown_as_an_example_can_be_read(platform):
    assert read_reference(platform, example_link(platform)).platform_id is not None


def test_the_link_of_a_profile_leads_back_to_the_account():
    assert read_reference("bga", profile_link("bga", "84000001")) == Reference("84000001", "")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Łukasz K", "  łukasz   k\u200b ", True),
        ("João", "Joa\u0303o", True),
        ("ＡＢＣ", "abc", True),
        ("STRASSE", "straße", True),
        ("Lukasz", "Łukasz", False),
        ("Joao", "João", False),
        ("zugzwang_zoe", "zugzwang-zoe", False),
    ],
)
def test_nicknames_are_compared_without_case_and_spaces_but_with_accents(one, other, same):
    assert (nickname_key(one) == nickname_key(other)) is same


@pytest.mark.parametrize(
    ("platform", "seen", "nickname", "expected"),
    [
        ("bga", "84000001", "Łukasz K", Reference("84000001", "Łukasz K")),
        (
            "bga",
            "https://en.boardgamearena.com/player?id=84000001",
            " Łukasz  K",
            Reference("84000001", "Łukasz K"),
        ),
        ("playstrategy", "zoe", "Zoe", Reference("zoe", "Zoe")),
        ("abstractplay", UUID, "jack", Reference(UUID, "jack")),
    ],
)
def test_what_a_person_saw_has_an_id_and_a_nickname(platform, seen, nickname, expected):
    assert read_checked_account(platform, seen, nickname) == expected


@pytest.mark.parametrize(
    ("platform", "seen", "nickname", "field"),
    [
        ("bga", "Łukasz K", "Łukasz K", "reference"),
        ("abstractplay", "jack", "jack", "reference"),
        ("playstrategy", "zoe", "Other", "nickname"),
        ("bga", "84000001", "https://boardgamearena.com/player?id=84000001", "nickname"),
    ],
)
def test_without_an_id_or_with_a_nickname_of_another_account_nothing_was_seen(
    platform, seen, nickname, field
):
    with pytest.raises(Refused) as refused:
        read_checked_account(platform, seen, nickname)
    assert refused.value.field == field
