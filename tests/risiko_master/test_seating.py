"""What the search keeps in its head is what counting from the beginning gives."""

from hypothesis import given, settings
from hypothesis import strategies as st

from risiko_master.rules.lower_bounds import Seats, fewest_of_kinds, fewest_pairs, spread_evenly
from risiko_master.rules.optimum import best_seating, improve_seating
from risiko_master.rules.seating import Costs, Seating, split_weight, weight
from tests.risiko_master.every_draw import seatings

SIZES = (4, 4, 5)
PLAYERS = sum(SIZES)
HALL = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11, 12]]
PEOPLE = st.integers(0, PLAYERS - 1)
COSTS = st.dictionaries(st.tuples(PEOPLE, PEOPLE).filter(lambda p: p[0] < p[1]), st.integers(1, 9))


def costs_of(pairs, goal=0):
    return Costs(pairs, tuple(100 * (player % 2) for player in range(PLAYERS)), goal, 1)


def counted(tables, costs):
    """From the beginning, pair by pair."""
    at = {player: number for number, table in enumerate(tables) for player in table}
    pairs = sum(cost for (one, other), cost in costs.pairs.items() if at[one] == at[other])
    return pairs + sum(
        costs.fives[player] for table in tables if len(table) == 5 for player in table
    )


@given(COSTS, st.lists(st.tuples(PEOPLE, st.sets(PEOPLE)), max_size=12))
def test_exchanges_keep_every_cost_true(pairs, moves):
    costs = costs_of(pairs)
    seating = Seating(HALL, costs)
    for player, resting in moves:
        added, other = seating.best_exchange(player, [int(p in resting) for p in range(PLAYERS)], 0)
        if other >= 0:
            seating.exchange(player, other, added)
            assert other not in resting
    anew = Seating(seating.tables(), costs)
    assert (seating.total, seating.costs, seating.own) == (anew.total, anew.costs, anew.own)
    assert seating.total == counted(seating.tables(), costs)


@given(COSTS)
def test_the_best_exchange_is_the_best_of_all_that_are_tried(pairs):
    costs = costs_of(pairs)
    seating = Seating(HALL, costs)
    added, _ = seating.best_exchange(0, [0] * PLAYERS, 0)
    tried = [
        counted([[q if p == 0 else 0 if p == q else p for p in t] for t in HALL], costs)
        for q in range(4, PLAYERS)
    ]
    assert seating.total + added == min(tried)


@settings(max_examples=25)
@given(COSTS)
def test_the_search_never_ends_above_its_start_and_the_exhaustive_one_never_above_the_search(pairs):
    costs = costs_of(pairs)
    found = improve_seating(HALL, costs, "s")
    best, is_proven = best_seating(found, costs, counted(found, costs))
    assert counted(HALL, costs) >= counted(found, costs) >= counted(best, costs)
    assert is_proven


def test_the_exhaustive_search_finds_the_best_of_all_seatings():
    pairs = {(a, b): 1 + a * b % 7 for b in range(PLAYERS) for a in range(b) if (a + 2 * b) % 3}
    costs = costs_of(pairs)
    least = min(counted(tables, costs) for tables in seatings(list(range(PLAYERS)), SIZES))
    best, is_proven = best_seating(HALL, costs, counted(HALL, costs))
    assert (counted(best, costs), is_proven) == (least, True)


def test_a_large_field_is_not_searched_to_the_end():
    hall = [[4 * table + seat for seat in range(4)] for table in range(6)]
    assert best_seating(hall, Costs({}, (0,) * 24, 0, 1), 1) == (hall, False)


@given(st.lists(st.integers(0, 65535), min_size=1, max_size=4))
def test_weights_hold_each_count_by_itself(own):
    assert split_weight(weight(*own), len(own)) == tuple(own)


def test_one_pair_more_of_a_criterion_outweighs_all_of_the_next():
    assert weight(1, 0, 0) > weight(0, 65535, 65535)


@given(st.integers(0, 60), st.integers(1, 20))
def test_spread_evenly_is_what_dealing_round_gives(people, places):
    dealt = [len(range(place, people, places)) for place in range(places)]
    assert spread_evenly(people, places) == sum(own * (own - 1) // 2 for own in dealt)


def test_a_clique_that_overlaps_another_counts_only_with_those_who_share_none():
    def fewest(clique):
        return spread_evenly(len(clique), 1)

    assert fewest_pairs([["a", "b", "c"], ["a", "b"], ["c", "d"]], fewest) == 4
    assert fewest_pairs([["a", "b", "c"], ["a", "b", "d"]], fewest) == 4


def test_kinds_at_tables():
    """Ten people of three kinds at two tables: five each, at best two, two and one, so two pairs a
    table."""
    assert (fewest_of_kinds(10, 3, 2), fewest_of_kinds(0, 3, 0), fewest_of_kinds(8, 4, 2)) == (
        4,
        0,
        0,
    )


def test_a_club_whose_people_all_sat_at_fives_has_only_the_fours():
    """Thirteen players, one table of five: five of a club who sat there meet at two fours as 3 +
    2."""
    sat = frozenset("abcde")
    assert Seats(2, 1, 13, sat).fewest("abcde") == 4
    assert Seats(2, 1, 13, frozenset()).fewest("abcde") == 2
    assert Seats(0, 3, 15, sat).fewest("abcde") == 2
    assert Seats(3, 0, 12, sat).fewest("abcd") == 1
