"""Each action in the log has words."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from pergioco.core import events
from pergioco.core.audit_labels import ACTIONS, action_label, describe_change

pytestmark = pytest.mark.usefixtures("english")
CODE = re.compile(r'"([a-z_]+\.[a-z_]+)"')
# Functions that are given an action of the log
WRITERS = re.compile(r"\b\w*(?:record|settle|decide|tell|log|close)\w*\(((?:[^()]|\([^()]*\))*)\)")
ELSEWHERE = {"mail.send", "imports.fetch", *events.declared_events}
ROOMS = ("pergioco", "ratings", "rankings", "race", "big_league", "risiko_master")


def sources() -> list[Path]:
    return [file for room in ROOMS for file in (settings.BASE_DIR / room).rglob("*.py")]


def actions_in_the_code() -> set[str]:
    """Strings of the form «noun.verb» that are handed to a writer or bound to the name `action`."""
    found: set[str] = set()
    for file in sources():
        text = file.read_text()
        handed = " ".join(WRITERS.findall(text)) + " ".join(
            re.findall(r"\baction\b[^=\n]*=(.*)", text)
        )
        found |= {
            code
            for code in CODE.findall(handed)
            if not code.startswith(("players.", "stages.", "portal.", "big_league."))
        }
    return {code for code in found if not code.endswith(".toml")} - ELSEWHERE


def test_no_action_is_without_words():
    assert actions_in_the_code() - ACTIONS.keys() == set()


def test_the_search_finds_what_it_should():
    some = {
        "person.edited",
        "consent.withdrawn",
        "registration.answered",
        "person.erased",
        "membership.joined",
    }
    assert some - actions_in_the_code() == set()


def test_no_words_are_left_over_from_an_action_that_is_gone():
    """Some are put together from a model or a state: then at least the second word stands in the
    code."""
    code = "\n".join(file.read_text() for file in sources() if file.name != "audit_labels.py")
    unknown = {
        name
        for name in ACTIONS
        if f'"{name}"' not in code and f'"{name.partition(".")[2]}"' not in code
    }
    assert unknown == set()


def test_an_unknown_action_is_shown_by_its_code():
    assert action_label("stage.flooded") == "stage.flooded"


@pytest.mark.parametrize(
    ("object_type", "name", "pair", "words"),
    [
        ("players.person", "city", ("Torino", "Cuneo"), ("city", "Torino", "Cuneo")),
        (
            "players.registration",
            "state",
            ("new", "verified"),
            ("state", "new", "identity verified"),
        ),
        ("players.consent", "publication", ("True", "False"), ("publication", "yes", "no")),
        ("core.user", "role", ("", "staff"), ("role", "", "federation staff")),
        ("gone.model", "field", ("a", "b"), ("field", "a", "b")),
        ("players.sanction", "ends_on", ("2026-12-31", ""), ("last day", "31/12/2026", "")),
        (
            "players.merge",
            "undone_at",
            ("", "2026-07-01T22:30:00+00:00"),
            ("undone", "", "02/07/2026 00:30"),
        ),
        (
            "players.platformaccount",
            "platform_id",
            ("20260101", ""),
            ("id on the platform", "20260101", ""),
        ),
    ],
)
def test_a_change_in_the_words_of_the_forms(object_type, name, pair, words):
    change = describe_change(object_type, name, *pair)
    assert (change.name, change.before, change.after) == words
