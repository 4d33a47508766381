"""The rankings after one game and after two, and the lots that nobody else decides."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pergioco.rulekit.ordering import seeded_order
from risiko_master.rules.rankings import Record, break_ties_by_lots, rank_records


def ranked(*records: Record) -> list[tuple[int, int, str]]:
    return [(p.rank, p.row.player, p.decided_by) for p in rank_records(records)]


def after_one(games: dict[int, int | None]) -> dict[int, int]:
    placed = rank_records(
        Record(player, (points,)) for player, points in games.items() if points is not None
    )
    return {p.row.player: p.rank for p in placed}


def after_two(games: dict[int, tuple[int | None, int | None]]) -> list[Record]:
    before = after_one({player: own[0] for player, own in games.items()})
    return [Record(player, own, before.get(player, 10**6)) for player, own in games.items()]


def test_rkm_ranking_is_by_the_sum_of_the_games():
    assert ranked(Record(1, (1045, 39)), Record(2, (1040, 1030)), Record(3, (80, 20))) == [
        (1, 2, ""),
        (2, 1, "points"),
        (3, 3, "points"),
    ]


def test_rkm_ranking_equal_sums_go_to_the_better_best_performance():
    assert ranked(Record(1, (1040, 44)), Record(2, (1045, 39))) == [(1, 2, ""), (2, 1, "best")]


def test_rkm_ranking_after_three_games_the_second_best_decides():
    """Equal sums and equal best performances: then the second decides, and the third with it."""
    assert ranked(Record(1, (1040, 40, 20)), Record(2, (30, 1040, 30))) == [
        (1, 1, ""),
        (2, 2, "second_best"),
    ]


def test_rkm_ranking_equal_performances_go_to_who_was_ahead_after_the_first_game():
    assert ranked(*after_two({1: (39, 1045), 2: (1045, 39)})) == [
        (1, 2, ""),
        (2, 1, "round_before"),
    ]


def test_rkm_ranking_the_same_two_games_share_the_place_and_the_next_one_is_skipped():
    found = ranked(*after_two({1: (1045, 39), 2: (1045, 39), 3: (20, 20)}))
    assert found == [(1, 1, ""), (1, 2, ""), (3, 3, "points")]


def test_rkm_ranking_who_played_one_game_is_ranked_on_it():
    assert ranked(*after_two({1: (20, None), 2: (None, 1045), 3: (10, 11)})) == [
        (1, 2, ""),
        (2, 3, "points"),
        (3, 1, "points"),
    ]


POINTS = st.one_of(st.none(), st.integers(0, 3), st.integers(1000, 1002))


@given(st.dictionaries(st.integers(1, 30), st.tuples(POINTS, POINTS), max_size=12))
def test_rkm_ranking_is_the_order_of_plain_tuples(games):
    """Written down a second time, as one sort by what the regulation lists."""
    before = after_one({player: own[0] for player, own in games.items()})

    def merits(player: int) -> list[int]:
        own = sorted((points or 0 for points in games[player]), reverse=True)
        return [sum(own), *own, -before.get(player, 10**6)]

    expected = [(1 + sum(merits(other) > merits(p) for other in games), p) for p in games]
    assert sorted((rank, player) for rank, player, _why in ranked(*after_two(games))) == sorted(
        expected
    )


def test_rkm_lots_tell_apart_who_shares_a_place_and_nobody_else():
    placed = rank_records(
        after_two({1: (50, 50), 2: (20, 30), 3: (20, 30), 4: (20, 30), 5: (1, 1)})
    )
    apart = break_ties_by_lots(placed, {5: 0, 4: 1, 2: 2, 3: 3, 1: 4})
    assert [(p.rank, p.row.player, p.is_shared, p.decided_by) for p in apart] == [
        (1, 1, False, ""),
        (2, 4, False, "points"),
        (3, 2, False, "lots"),
        (4, 3, False, "lots"),
        (5, 5, False, "points"),
    ]


@given(
    st.dictionaries(st.integers(1, 30), st.tuples(POINTS, POINTS), max_size=12), st.text(max_size=5)
)
def test_rkm_lots_never_turn_round_what_the_criteria_decided(games, seed):
    placed = rank_records(after_two(games))
    lots = {player: at for at, player in enumerate(seeded_order(seed, {p: str(p) for p in games}))}
    apart = break_ties_by_lots(placed, lots)
    assert [p.rank for p in apart] == list(range(1, len(games) + 1))
    tied = {p.row.player: p.rank for p in placed}
    for first, second in pairwise(apart):
        assert (tied[first.row.player], lots[first.row.player]) < (
            tied[second.row.player],
            lots[second.row.player],
        ) or (tied[first.row.player] < tied[second.row.player])


@pytest.mark.parametrize("seed", ["", "2026-11-18", "ramo"])
def test_rkm_lots_are_the_same_for_the_same_seed(seed):
    placed = rank_records(after_two(dict.fromkeys(range(1, 9), (20, 30))))

    def drawn() -> list[int]:
        order = seeded_order(seed, {number: f"p{number}" for number in range(1, 9)})
        return [
            p.row.player
            for p in break_ties_by_lots(placed, {player: at for at, player in enumerate(order)})
        ]

    assert (
        drawn() == drawn() == seeded_order(seed, {number: f"p{number}" for number in range(1, 9)})
    )
