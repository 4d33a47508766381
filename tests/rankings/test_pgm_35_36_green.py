"""Leaders and the Green ranking."""

from decimal import Decimal

from rankings.rules import (
    EDITIONS,
    Active,
    Ingredients,
    Rated,
    leader_tenths,
    overall_standings,
    place_points,
    rank_blue,
    rank_game,
    rank_green,
)

EDITION = EDITIONS.in_force(2026)


def leaders(*pgrs: int) -> dict[int, int]:
    return leader_tenths(rank_game([Rated(i, pgr, 1) for i, pgr in enumerate(pgrs, 1)]), EDITION)


def test_pgm_35_first_five_of_a_game_are_leaders():
    assert leaders(700, 600, 500, 400, 300, 200) == {1: 5, 2: 4, 3: 3, 4: 2, 5: 1}


def test_pgm_35_who_shares_the_fifth_place_gets_its_points_each():
    assert leaders(9, 8, 7, 6, 5, 5) == {1: 5, 2: 4, 3: 3, 4: 2, 5: 1, 6: 1}


def test_pgm_35_who_shares_the_first_place_leaves_no_second():
    assert leaders(9, 9, 7) == {1: 5, 2: 5, 3: 3}


def points(*totals: int) -> dict[int, int]:
    return place_points(
        rank_blue(
            overall_standings([Active(i, (t,), 1) for i, t in enumerate(totals, 1)], EDITION)
        ),
        EDITION,
    )


def test_pgm_35_first_fifteen_get_the_points_of_their_place():
    given = points(*range(1_016_000, 1_000_000, -1000))
    assert list(given.values()) == [20, 18, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert 16 not in given


def test_pgm_35_two_on_the_fifteenth_place_get_one_point_each():
    given = points(*range(1_014_000, 1_000_000, -1000), 500_000, 500_000)
    assert (given[15], given[16]) == (1, 1)


def test_pgm_35_sum_of_tenths_is_exact():
    of = Ingredients({}, {}, [{1: 1}, {1: 1}, {1: 1}], {1: 3})
    assert rank_green(of)[0].row.points == Decimal("0.3")


def test_pgm_36_ties_go_to_more_games():
    of = Ingredients(blue={1: 20, 2: 18}, red={2: 2}, leaders=[{3: 5}], games={1: 5, 2: 9, 3: 1})
    assert [(p.rank, p.row.player, p.row.points, p.decided_by) for p in rank_green(of)] == [
        (1, 2, Decimal(20), ""),
        (2, 1, Decimal(20), "games"),
        (3, 3, Decimal("0.5"), "points"),
    ]
