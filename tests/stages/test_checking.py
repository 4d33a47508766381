"""What stops a closing, what asks, what is worth a look."""

from dataclasses import replace

import pytest

from pergioco.stages.rules.checking import (
    CheckedStage,
    CheckedTable,
    Finding,
    Weight,
    check_stage,
    may_close,
)

GOOD = CheckedStage(
    entered=frozenset({1, 2, 3, 4}),
    tables=(
        CheckedTable(1, 1, (1, 2), "1", complete=True),
        CheckedTable(1, 2, (3, 4), "X", complete=True),
        CheckedTable(2, 1, (1, 3), "2", complete=True),
        CheckedTable(2, 2, (2, 4), "+", complete=True),
    ),
    withdrew_after={},
    capacity=None,
    is_two_player=True,
    is_swiss=True,
)


def test_complete_stage_has_no_findings():
    assert check_stage(GOOD) == []


def with_table(*tables: CheckedTable, **more) -> CheckedStage:
    return replace(GOOD, tables=GOOD.tables + tables, **more)


@pytest.mark.parametrize(
    ("stage", "wanted"),
    [
        (replace(GOOD, tables=()), Finding(Weight.STOP, "nothing_played")),
        (
            replace(GOOD, capacity=3),
            Finding(Weight.STOP, "too_many", {"entered": 4, "capacity": 3}),
        ),
        (
            with_table(
                CheckedTable(3, 1, (1, 4), "", complete=False),
                CheckedTable(3, 2, (2, 3), "1", complete=True),
            ),
            Finding(Weight.STOP, "results_missing", {"round": 3, "tables": [1]}),
        ),
        (
            with_table(CheckedTable(3, 1, (1, 9), "1", complete=True)),
            Finding(Weight.STOP, "not_entered", {"player": 9, "round": 3}),
        ),
        (
            with_table(CheckedTable(2, 3, (1, 4), "1", complete=True)),
            Finding(Weight.STOP, "seated_twice", {"player": 1, "round": 2, "tables": [1, 3]}),
        ),
        (
            with_table(
                CheckedTable(3, 1, (1, 2), "1", complete=True),
                CheckedTable(3, 2, (3, 4), "1", complete=True),
            ),
            Finding(Weight.LOOK, "met_twice", {"players": [1, 2], "times": 2}),
        ),
        (
            with_table(
                CheckedTable(3, 1, (1, 4), "1", complete=True),
                CheckedTable(3, 2, (2,), "B", complete=True),
            ),
            Finding(Weight.ASK, "without_table", {"round": 3, "players": [3]}),
        ),
    ],
)
def test_each_fault_is_found(stage, wanted):
    found = check_stage(stage)
    assert wanted in found
    assert may_close(found) is (wanted.weight != Weight.STOP)


def test_pgm_40_race_stage_of_sixty_four_is_full():
    players = frozenset(range(64))
    tables = tuple(CheckedTable(1, i, (2 * i, 2 * i + 1), "1", complete=True) for i in range(32))
    full = replace(GOOD, entered=players, tables=tables, capacity=64)
    assert check_stage(full) == []
    assert "too_many" in [f.code for f in check_stage(replace(full, entered=players | {64}))]


def test_pg_8_who_withdrew_is_not_asked_about():
    stage = with_table(CheckedTable(3, 1, (1, 4), "1", complete=True), withdrew_after={2: 2, 3: 2})
    assert check_stage(stage) == []


def test_round_robin_played_at_once_holds_many_games_of_a_player():
    tables = (
        CheckedTable(1, 1, (1, 2), "1", complete=True),
        CheckedTable(1, 2, (1, 3), "1", complete=True),
    )
    stage = replace(GOOD, entered=frozenset({1, 2, 3}), tables=tables, is_swiss=False)
    assert check_stage(stage) == []


def test_pg_11_several_games_of_one_pair_in_a_round_are_a_match():
    match = [CheckedTable(3, place, (1, 4), "1", complete=True) for place in (1, 2)]
    assert check_stage(with_table(*match, CheckedTable(3, 3, (2, 3), "1", complete=True))) == []


def test_two_byes_in_one_round_are_one_too_many():
    byes = [CheckedTable(3, place, (1,), "B", complete=True) for place in (1, 2)]
    found = check_stage(with_table(*byes, CheckedTable(3, 3, (2, 3), "1", complete=True)))
    assert (
        Finding(Weight.STOP, "seated_twice", {"player": 1, "round": 3, "tables": [1, 2]}) in found
    )
