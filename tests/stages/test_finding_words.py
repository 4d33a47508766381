"""What the checks found, in words."""

import inspect

import pytest

from pergioco.stages.queries.results_grid import FINDING_SENTENCES, describe_findings, join_words
from pergioco.stages.rules import checking
from pergioco.stages.rules.checking import Finding, Weight

NAMES = {1: "Rossi", 2: "Bianchi"}


@pytest.mark.parametrize(
    ("code", "values", "sentence"),
    [
        ("nothing_played", {}, "There is no round yet. Add the pairings, or import the results."),
        (
            "too_many",
            {"entered": 65, "capacity": 64},
            "65 players are entered; the stage has 64 seats.",
        ),
        (
            "not_entered",
            {"player": 1, "round": 2},
            "Rossi plays in round 2 but is not entered in the stage.",
        ),
        (
            "results_missing",
            {"round": 1, "tables": [5, 8]},
            "Round 1: 2 results are missing, tables 5 and 8. Your draft is saved.",
        ),
        (
            "seated_twice",
            {"player": 1, "round": 3, "tables": [2, 6]},
            "Rossi plays twice in round 3: tables 2 and 6. Which is right?",
        ),
        (
            "met_twice",
            {"players": [1, 2], "times": 2},
            "Rossi and Bianchi meet 2 times. Is it right?",
        ),
        (
            "without_table",
            {"round": 1, "players": [2]},
            "Round 1: Bianchi has neither a table nor a bye. Is it right?",
        ),
    ],
)
def test_each_finding_has_its_sentence(english, code, values, sentence):
    (worded,) = describe_findings([Finding(Weight.STOP, code, values)], NAMES)
    assert (worded.sentence, worded.weight) == (sentence, "stop")
    assert worded.tables == tuple(values.get("tables", ()))


def test_every_code_of_the_checks_has_words():
    source = inspect.getsource(checking)
    assert {code for code in FINDING_SENTENCES if f'"{code}"' in source} == set(FINDING_SENTENCES)
    assert source.count("yield Finding(") == len(FINDING_SENTENCES)


@pytest.mark.parametrize(
    ("words", "text"), [([1], "1"), ([1, 2], "1 and 2"), ([1, 2, 3], "1, 2 and 3")]
)
def test_lists_end_with_and(english, words, text):
    assert join_words(words) == text
