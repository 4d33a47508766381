"""Random fields of 8 to 120 players with clubs of uneven sizes: the checker finds nothing in any
draw."""

from random import Random

import pytest

from risiko_master.rules import replay
from risiko_master.rules.checker import check_draw
from risiko_master.rules.draw_facts import FirstGame
from tests.risiko_master import fields

FEW, ALL = 25, 500


def day(number):
    """(inputs, seed, result) of the two games and the semifinals of one Master."""
    chance, seed = Random(number), f"field {number}"
    groups = fields.by_chance(chance)
    first = replay.first_inputs("s", groups)
    drawn = replay.run_draw(first, seed)
    yield first, seed, drawn
    before = FirstGame(drawn.tables, fields.played(chance, drawn).winners)
    second = replay.second_inputs("s", fields.still_there(chance, groups), before)
    yield second, seed, replay.run_draw(second, seed)
    last = replay.semifinal_inputs("s", groups, sample(chance, groups))
    yield last, seed, replay.run_draw(last, seed)


def sample(chance, groups):
    size = 16 if len(groups) >= 16 else 8
    ranked = chance.sample(sorted(groups), len(groups) // size * size)
    return [fields.bands(ranked[first : first + size]) for first in range(0, len(ranked), size)]


def findings(numbers):
    proofs = []
    for number in numbers:
        for inputs, seed, draw in day(number):
            assert check_draw(inputs, seed, replay.draw_result(draw)) == [], (
                number,
                inputs["draw"],
            )
            proofs.append((inputs["draw"], draw.proof))
    return proofs


def test_the_checker_finds_nothing_in_some_random_fields():
    proofs = findings(range(FEW))
    assert len(proofs) == 3 * FEW
    assert [proof for draw, proof in proofs if draw != 2 and proof == "open"] == []


@pytest.mark.proof
def test_the_checker_finds_nothing_in_five_hundred_random_fields():
    proofs = findings(range(ALL))
    proven = sum(proof != "open" for _, proof in proofs)
    assert (len(proofs), proven) == (3 * ALL, 1497)
