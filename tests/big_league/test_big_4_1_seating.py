"""Tables of each round, held against a checker that knows nothing of how they were made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from big_league.rules.seating import (
    CannotSeat,
    Seating,
    draw_first_round,
    heads_of_series,
    pair_players,
    seat_by_standings,
    sizes_of_tables,
)
from pergioco.rulekit.ordering import seeded_order
from tests.big_league.seating_checker import best_without, faults

FEW = st.integers(3, 9)


def drawn(count: int, seed: str = "s") -> list[int]:
    return seeded_order(seed, {player: f"id{player}" for player in range(1, count + 1)})


@pytest.mark.parametrize(
    ("players", "wanted", "shape"),
    [
        (12, 4, (4, 4, 4)),
        (13, 4, (4, 3, 3, 3)),
        (14, 4, (4, 4, 3, 3)),
        (15, 4, (4, 4, 4, 3)),
        (6, 4, (3, 3)),
        (3, 4, (3,)),
        (11, 5, (4, 4, 3)),
        (9, 3, (3, 3, 3)),
        (5, 4, (5,)),
        (7, 3, (4, 3)),
        (8, 3, (4, 4)),
        (10, 3, (4, 3, 3)),
        (64, 7, (7, 7, 7, 7, 6, 6, 6, 6, 6, 6)),
        (6, 2, (2, 2, 2)),
        (7, 2, (2, 2, 2, 1)),
    ],
)
def test_big_4_1_sizes_of_tables(players, wanted, shape):
    assert sizes_of_tables(players, wanted) == shape


@pytest.mark.parametrize(
    ("players", "wanted", "most"), [(2, 4, None), (0, 4, None), (5, 4, 4), (7, 3, 3)]
)
def test_big_4_1_no_shape_fits(players, wanted, most):
    with pytest.raises(CannotSeat):
        sizes_of_tables(players, wanted, most=most)


def test_big_4_1_the_most_a_game_takes_is_kept():
    assert sizes_of_tables(7, 3, most=4) == (4, 3)
    assert sizes_of_tables(10, 4, most=5) == (4, 3, 3)


@given(st.integers(3, 210), st.integers(3, 7))
def test_big_4_1_as_few_smaller_tables_as_possible(players, wanted):
    shape = sizes_of_tables(players, wanted)
    assert faults([[0] * size for size in shape], [0] * players, pairs=False) == []
    if max(shape) <= wanted:  # one table less could not hold them
        assert (len(shape) - 1) * wanted < players
    else:  # with one table more somebody sat at a table of two
        assert players < (len(shape) + 1) * 3


def test_big_4_1_the_first_round_is_drawn_and_can_be_repeated():
    made = draw_first_round(drawn(13), sizes_of_tables(13, 4))
    assert made == draw_first_round(drawn(13), sizes_of_tables(13, 4))
    assert made != draw_first_round(drawn(13, "another"), sizes_of_tables(13, 4))
    assert faults(made.tables, range(1, 14), pairs=False) == []


def test_big_4_1_swiss_takes_the_standings_from_the_top():
    made = seat_by_standings([5, 3, 9, 1, 7, 2, 8, 4, 6, 10, 11], sizes_of_tables(11, 4))
    assert made.tables == ((5, 3, 9, 1), (7, 2, 8, 4), (6, 10, 11))


@given(st.permutations(range(1, 31)), FEW)
def test_big_4_1_swiss_seats_everybody_once(standings, wanted):
    made = seat_by_standings(standings, sizes_of_tables(len(standings), wanted))
    assert faults(made.tables, standings, pairs=False) == []
    assert [player for table in made.tables for player in table] == standings


def test_big_4_1_no_pair_meets_in_two_rounds_that_follow_each_other():
    assert pair_players([1, 2, 3, 4], [(1, 2), (3, 4)], {}).tables == ((1, 3), (2, 4))
    # 1-2 would leave 3-4
    assert pair_players([1, 2, 3, 4], [(3, 4)], {}).tables == (
        (1, 3),
        (2, 4),
    )
    assert pair_players([1, 2, 3, 4], [(1, 4)], {}).tables == ((1, 2), (3, 4))


def test_big_4_1_they_may_meet_again_later():
    assert pair_players([1, 2], [], {}).tables == ((1, 2),)


def test_big_4_1_two_players_alone_meet_again_and_it_is_said():
    assert pair_players([1, 2], [(1, 2)], {}) == Seating(((1, 2),), ((1, 2),))


def test_big_4_1_the_bye_goes_to_the_lowest_who_had_none():
    assert pair_players([1, 2, 3, 4, 5], [], {}).tables == ((1, 2), (3, 4), (5,))
    assert pair_players([1, 2, 3, 4, 5], [], {5: 1, 4: 1}).tables == ((1, 2), (4, 5), (3,))
    assert pair_players([1, 2, 3], [], {1: 1, 2: 1, 3: 1}).tables == ((1, 2), (3,))


def test_big_4_1_of_three_another_one_rests_rather_than_that_two_meet_again():
    assert pair_players([1, 2, 3], [(1, 2), (3,)], {}).tables == ((1, 3), (2,))


@st.composite
def fields(draw, most):
    """Standings, pairs of the round before, and who rested so far."""
    count = draw(st.integers(2, most))
    standings = draw(st.permutations(range(1, count + 1)))
    before = draw(st.permutations(range(1, count + 1)))
    met = [tuple(before[i : i + 2]) for i in range(0, draw(st.integers(0, count)) // 2 * 2, 2)]
    byes = draw(st.dictionaries(st.integers(1, count), st.integers(0, 2)))
    return standings, met, byes


@given(fields(9))
def test_big_4_1_the_pairs_are_the_first_of_all_ways_without_a_repetition(field):
    standings, met, byes = field
    made = pair_players(standings, met, byes)
    barred = {frozenset(table) for table in met}
    resting = [table[0] for table in made.tables if len(table) == 1]
    best = best_without([player for player in standings if player not in resting], barred)
    if best is None:
        others = [best_without([p for p in standings if p != one], barred) for one in standings]
        assert len(standings) == 2 or others == [None] * len(standings)
        assert made.repeated
    else:
        assert (made.tables[: len(best)], made.repeated) == (best, ())


@given(fields(60))
def test_big_4_1_pairs_hold_before_the_checker(field):
    standings, met, byes = field
    made = pair_players(standings, met, byes)
    assert faults(made.tables, standings, pairs=True) == []
    if len(standings) > 2:
        assert not {frozenset(table) for table in made.tables} & {frozenset(table) for table in met}
    if len(standings) > 3 and len(standings) % 2:
        resting = made.tables[-1][0]
        least = min(byes.get(player, 0) for player in standings)
        assert resting == [player for player in standings if byes.get(player, 0) == least][-1]


@pytest.mark.parametrize(
    ("champion", "shape", "heads"),
    [
        (7, (4, 4, 3), (7, 1, 2)),
        (2, (4, 4, 3), (2, 1, 3)),
        (None, (4, 4), (1, 2)),
        (None, (2, 2, 1), (1, 2)),
    ],
)
def test_big_7_heads_of_series_are_the_champion_and_the_first(champion, shape, heads):
    assert heads_of_series(champion, [1, 2, 3, 4, 5], shape=shape) == heads


@given(st.integers(3, 70), st.integers(2, 7), st.text(max_size=5))
def test_big_7_heads_of_series_never_meet_in_the_first_round(players, wanted, seed):
    shape = sizes_of_tables(players, wanted)
    heads = heads_of_series(players, range(1, players), shape=shape)
    made = draw_first_round(drawn(players, seed), shape, heads)
    assert faults(made.tables, range(1, players + 1), pairs=wanted == 2) == []
    assert [len(set(table) & set(heads)) for table in made.tables] == [
        int(len(table) > 1) for table in made.tables
    ]


def test_big_7_heads_do_not_always_come_first_on_the_sheet():
    shape = sizes_of_tables(16, 4)
    made = draw_first_round(drawn(16), shape, (1, 2, 3, 4))
    assert [table for table in made.tables if table[0] > 4]
    lots = drawn(16)
    assert all(list(table) == sorted(table, key=lots.index) for table in made.tables)


def test_big_7_more_heads_than_tables_cannot_be_kept_apart():
    with pytest.raises(CannotSeat):
        draw_first_round(drawn(8), (4, 4), (1, 2, 3))
