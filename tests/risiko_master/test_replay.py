"""The same document and seed give the same tables: today, on every Python, and as when they were
published."""

import json
from pathlib import Path
from random import Random

import pytest

from risiko_master.rules import replay
from risiko_master.rules.draws import first_draw
from tests.risiko_master import fields

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(path.stem for path in GOLDEN.glob("*.json"))


def read(name):
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def test_there_is_a_golden_draw_of_each_kind():
    assert {read(name)["inputs"]["draw"] for name in CASES} == {1, 2, 3}


@pytest.mark.parametrize("name", CASES)
def test_the_draw_is_the_one_on_file(name):
    """A change of the algorithm that moves one player needs another VERSION, and keeps the old code
    beside it."""
    case = read(name)
    assert replay.draw_result(replay.run_draw(case["inputs"], case["seed"])) == case["result"]


@pytest.mark.parametrize("name", CASES)
def test_another_seed_gives_another_draw(name):
    case = read(name)
    assert replay.run_draw(case["inputs"], "another").tables != tuple(
        map(tuple, case["result"]["tables"])
    )


def test_the_order_in_which_players_are_written_changes_nothing():
    groups = fields.by_chance(Random(5), 30, 60)
    turned = dict(reversed(groups.items()))
    assert first_draw(groups, "s") == first_draw(turned, "s")
    inputs = [replay.first_inputs("s", own) for own in (groups, turned)]
    assert replay.canonical_json(inputs[0]) == replay.canonical_json(inputs[1])


def test_another_algorithm_is_not_run():
    inputs = {**replay.first_inputs("s", fields.of_clubs(alone=8)), "algorithm": "rkm-draw-0"}
    with pytest.raises(replay.UnknownVersion):
        replay.run_draw(inputs, "s")


def test_the_document_of_a_second_draw_says_what_was_looked_at():
    groups = fields.of_clubs(4, 4)
    before = fields.played(Random(1), first_draw(groups, "s"))
    inputs = replay.second_inputs("rimini", groups, before)
    assert inputs == {
        "algorithm": "rkm-draw-1",
        "stage": "rimini",
        "draw": 2,
        "players": {player: sorted(own) for player, own in groups.items()},
        "tables_before": [list(table) for table in before.tables],
        "winners": sorted(before.winners),
    }
