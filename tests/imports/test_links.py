"""A link or an id: only the tournament that it names is taken from it."""

import pytest

from pergioco.core.refusal import Refused
from pergioco.imports.services.fetching import WantedTournament, read_link

UUID = "6513270e-269e-4d37-b2a7-4de452e6b438"


@pytest.mark.parametrize(
    ("platform", "text", "kind", "key"),
    [
        ("playstrategy", "AbCd1234", "swiss", "AbCd1234"),
        ("playstrategy", "https://playstrategy.org/swiss/AbCd1234", "swiss", "AbCd1234"),
        ("playstrategy", "  playstrategy.org/swiss/AbCd1234/round/3?page=2 ", "swiss", "AbCd1234"),
        ("playstrategy", "https://playstrategy.org/swiss/AbCd1234.trf", "swiss", "AbCd1234"),
        ("playstrategy", "https://playstrategy.org/tournament/AbCd1234", "arena", "AbCd1234"),
        ("abstractplay", f"https://play.abstractplay.com/event/{UUID}", "event", UUID),
        ("abstractplay", f"https://play.abstractplay.com/tournament/{UUID}", "tournament", UUID),
        (
            "abstractplay",
            f"https://play.abstractplay.com/tournament/havannah/{UUID}",
            "archived",
            f"havannah/{UUID}",
        ),
        ("abstractplay", UUID, "event", UUID),
    ],
)
def test_what_a_link_means(platform, text, kind, key):
    assert read_link(platform, text) == WantedTournament(kind, key)


@pytest.mark.parametrize(
    ("platform", "text"),
    [
        ("playstrategy", "https://evil.example/swiss/AbCd1234"),
        ("playstrategy", "https://playstrategy.org@evil.example/swiss/AbCd1234"),
        ("playstrategy", "http://127.0.0.1/swiss/AbCd1234"),
        ("playstrategy", "file:///etc/passwd"),
        ("playstrategy", "AbCd1234/../../api/account"),
        ("playstrategy", "AbCd123\u0660"),
        ("playstrategy", "swiss/AbCd12345"),
        ("abstractplay", f"https://play.abstractplay.com/tournament/{UUID}&isArchived=true"),
        ("abstractplay", f"tournament/a b/{UUID}"),
        ("bga", "https://boardgamearena.com/tournament?id=1"),
        ("", "AbCd1234"),
    ],
)
def test_everything_else_is_refused_in_words(platform, text):
    with pytest.raises(Refused) as refused:
        read_link(platform, text)
    assert refused.value.field == "link"
