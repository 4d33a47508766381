"""The checker finds nothing in true draws, and each kind of fault in draws that were tampered
with."""

import copy
import json
from random import Random

import pytest

from risiko_master.rules import replay
from risiko_master.rules.checker import check_draw
from risiko_master.rules.draws import first_draw
from tests.risiko_master import fields

SEED = "checked"


def codes(inputs, result, seed=SEED):
    return {finding.code for finding in check_draw(inputs, seed, result)}


def first(groups=None):
    inputs = replay.first_inputs("s", groups or fields.of_clubs(6, 5, 4, alone=4))
    return inputs, replay.draw_result(replay.run_draw(inputs, SEED))


def second(groups=None):
    groups = groups or fields.of_clubs(6, 5, 4, alone=4)
    before = fields.played(Random(1), first_draw(groups, SEED))
    inputs = replay.second_inputs("s", groups, before)
    return inputs, replay.draw_result(replay.run_draw(inputs, SEED))


def semifinals():
    groups = fields.of_clubs(4, 4, 4, 4)
    inputs = replay.semifinal_inputs(
        "s", groups, [fields.bands(sorted(groups, key=lambda p: p[::-1]))]
    )
    return inputs, replay.draw_result(replay.run_draw(inputs, SEED))


@pytest.mark.parametrize("drawn", [first, second, semifinals])
def test_nothing_is_found_in_a_true_draw(drawn):
    inputs, result = drawn()
    assert check_draw(inputs, SEED, result) == []


@pytest.mark.parametrize("drawn", [first, second, semifinals])
def test_it_reads_the_documents_as_they_are_published(drawn):
    inputs, result = (json.loads(replay.canonical_json(document)) for document in drawn())
    assert check_draw(inputs, SEED, result) == []


def exchanged(result, one, other):
    """Two seats, each named by table and place."""
    changed = copy.deepcopy(result)
    a, b = changed["tables"][one[0]][one[1]], changed["tables"][other[0]][other[1]]
    changed["tables"][one[0]][one[1]], changed["tables"][other[0]][other[1]] = b, a
    return changed


def test_somebody_without_a_seat_with_two_or_from_elsewhere():
    inputs, result = first()
    gone = result["tables"][0].pop()
    assert codes(inputs, result) == {"missing"}
    result["tables"][0].append(result["tables"][1][0])
    assert codes(inputs, result) == {"missing", "twice"}
    result["tables"][0][-1] = "stranger"
    assert codes(inputs, result) == {"missing", "stranger"}
    result["tables"][0][-1] = gone
    assert codes(inputs, result) == set()


@pytest.mark.parametrize("drawn", [first, second])
def test_tables_of_another_size_or_order(drawn):
    inputs, result = drawn()
    result["tables"].reverse()
    assert "sizes" in codes(inputs, result)


def test_a_fifth_player_who_was_not_drawn():
    inputs, result = first()
    assert codes(inputs, result, seed="another") >= {"fifths_not_by_lot"}


def test_two_fifths_at_one_table():
    inputs, result = first()
    last = len(result["tables"]) - 1
    assert "fifths_not_one_a_table" in codes(inputs, exchanged(result, (last, 4), (last - 1, 0)))


def test_a_cost_that_is_not_true():
    inputs, result = second()
    result["measures"][2]["cost"] += 1
    assert codes(inputs, result) == {"costs"}


def test_a_bound_above_the_cost():
    inputs, result = first()
    result["measures"][0]["bound"] += 1
    assert codes(inputs, result) == {"cost_below_bound"}


def test_an_exchange_that_would_have_kept_a_club_apart():
    groups = fields.of_clubs(4, alone=12)
    inputs, result = first(groups)
    at = [next(place for place, p in enumerate(table) if p[0] == "a") for table in result["tables"]]
    worse = exchanged(result, (0, at[0]), (1, (at[1] + 1) % 4))
    assert codes(inputs, worse) == {"costs", "better_exchange"}


def test_a_priority_turned_round_is_found():
    """Two winners put together to save a pair of a club: the exchange back is better, whatever the
    club."""
    groups = fields.of_clubs(alone=16)
    inputs, result = second(groups)
    at = {
        p: (t, place) for t, table in enumerate(result["tables"]) for place, p in enumerate(table)
    }
    one, other = inputs["winners"][:2]
    table, place = at[other]
    worse = exchanged(result, at[one], (table, (place + 1) % 4))
    assert codes(inputs, worse) == {"costs", "better_exchange"}


def test_fifths_who_would_meet_less_the_other_way_round():
    found = [turned_round(f"s{n}") for n in range(60)]
    assert {"better_fifths"} in found


def turned_round(seed):
    """The fifths of two tables exchanged, and the cost said as it then is."""
    groups = fields.of_clubs(5, 5, alone=4)
    inputs = replay.first_inputs("s", groups)
    result = exchanged(replay.draw_result(replay.run_draw(inputs, seed)), (1, 4), (2, 4))
    meets = sum(bool(groups[t[4]] & groups[p]) for t in result["tables"][1:] for p in t[:4])
    result["measures"][1].update(cost=meets)
    return codes(inputs, result, seed)


def test_two_of_one_band_at_a_semifinal():
    inputs, result = semifinals()
    assert "bands" in codes(inputs, exchanged(result, (0, 0), (1, 1)))


def test_semifinals_of_two_rankings_mixed():
    groups = fields.of_clubs(alone=16)
    inputs = replay.semifinal_inputs(
        "s", groups, [fields.bands(sorted(groups)[:8]), fields.bands(sorted(groups)[8:])]
    )
    result = replay.draw_result(replay.run_draw(inputs, SEED))
    assert (codes(inputs, result), codes(inputs, exchanged(result, (0, 0), (2, 0)))) == (
        set(),
        {"bands"},
    )


def test_a_semifinal_that_could_keep_a_club_apart():
    groups = {f"p{n}": frozenset({n}) for n in range(8)} | {
        "p0": frozenset({9}),
        "p2": frozenset({9}),
    }
    inputs = replay.semifinal_inputs("s", groups, [fields.bands(sorted(groups))])
    result = replay.draw_result(replay.run_draw(inputs, SEED))
    together = exchanged(result, (0, 1), (1, 1))
    assert (codes(inputs, result), codes(inputs, together)) == (set(), {"costs", "better_exchange"})
