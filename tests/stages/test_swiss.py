"""Swiss pairings."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pergioco.rulekit.ordering import seeded_order
from pergioco.stages.rules import pairing
from pergioco.stages.rules.pairing import SwissRound, SwissStanding


def field(*points: float) -> list[SwissStanding]:
    return [
        SwissStanding(i, Decimal(str(p)), frozenset(), rested=False, first_seats=0)
        for i, p in enumerate(points, 1)
    ]


def pair(standings: list[SwissStanding], seed: str) -> SwissRound:
    return pairing.pair_swiss_round(
        standings, seeded_order(seed, {s.player: f"id{s.player}" for s in standings})
    )


def couples(standings: list[SwissStanding], seed: str = "s") -> set[frozenset[int]]:
    return {frozenset(p) for p in pair(standings, seed).pairs}


def play(
    size: int, rounds: int, seed: str
) -> tuple[list[SwissStanding], list[tuple[tuple[int, ...], ...]]]:
    """A tournament in which the smaller number always wins."""
    standings, played = field(*[0] * size), []
    for number in range(rounds):
        made = pair(standings, f"{seed}{number}")
        played.append(made.pairs)
        now = {s.player: s for s in standings}
        for table in made.pairs:
            for seat, player in enumerate(table):
                others = set(table) - {player}
                now[player] = replace(
                    now[player],
                    points=now[player].points + int(all(player < other for other in others)),
                    met=now[player].met | others,
                    rested=now[player].rested or not others,
                    first_seats=now[player].first_seats + (0 if not others else 1 - 2 * seat),
                )
        standings = list(now.values())
        assert made.rematches == ()
    return standings, played


def test_equal_points_meet():
    assert couples(field(2, 2, 1, 1, 0, 0)) == {
        frozenset({1, 2}),
        frozenset({3, 4}),
        frozenset({5, 6}),
    }


def met(standings: list[SwissStanding], *couples: set[int]) -> list[SwissStanding]:
    return [
        replace(s, met=frozenset().union(*(c for c in couples if s.player in c)) - {s.player})
        for s in standings
    ]


@pytest.mark.parametrize("points", [(3, 2, 1, 0), (1.5, 1, 0.5, 0)])
def test_two_middling_gaps_are_better_than_a_wide_one_and_a_narrow_one(points):
    """Squares decide: 4 + 4 against 9 + 1. The balance of seats, which would have it otherwise,
    comes after points."""
    standings = met(field(*points), {1, 2}, {3, 4})
    standings = [replace(s, first_seats={1: 1, 2: -1, 3: 1, 4: -1}[s.player]) for s in standings]
    assert couples(standings) == {frozenset({1, 3}), frozenset({2, 4})}


def test_who_met_already_does_not_meet_again():
    standings = field(1, 1, 0, 0)
    standings = [replace(s, met=frozenset({{1: 2, 2: 1, 3: 4, 4: 3}[s.player]})) for s in standings]
    assert all(
        couple in ({1, 3}, {1, 4}, {2, 3}, {2, 4}) for couple in map(set, couples(standings))
    )


def test_last_one_rests_and_nobody_rests_twice():
    standings = field(2, 1, 0)
    assert (3,) in pair(standings, "s").pairs
    standings[2] = replace(standings[2], rested=True)
    assert (2,) in pair(standings, "s").pairs


def test_a_rest_never_forces_a_rematch_that_could_be_avoided():
    standings = field(1, 1, 0)
    standings[0] = replace(standings[0], met=frozenset({2}))
    standings[1] = replace(standings[1], met=frozenset({1}))
    assert pair(standings, "s").rematches == ()


def test_rematch_is_told_when_there_is_no_other_way():
    standings = [replace(s, met=frozenset({1, 2}) - {s.player}) for s in field(1, 0)]
    assert len(pair(standings, "s").rematches) == 1


def test_same_seed_same_round_another_seed_another_one():
    standings = field(*[0] * 16)
    assert pair(standings, "a") == pair(list(reversed(standings)), "a")
    assert pair(standings, "a") != pair(standings, "b")


@pytest.mark.parametrize(("size", "rounds"), [(16, 5), (15, 5), (64, 7), (33, 6)])
def test_whole_tournament_without_rematch_and_with_each_rest_at_most_once(size, rounds):
    _standings, played = play(size, rounds, "x")
    met = Counter(frozenset(p) for line in played for p in line)
    assert set(met.values()) == {1}
    assert all(len({p for pair_ in line for p in pair_}) == size for line in played)


def test_seats_stay_balanced():
    standings, _played = play(16, 6, "x")
    assert max(abs(s.first_seats) for s in standings) <= 2


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=2, max_size=14), st.text(max_size=5))
def test_everybody_has_one_place(points, seed):
    made = pair(field(*points), seed)
    assert sorted(p for table in made.pairs for p in table) == list(range(1, len(points) + 1))
    assert sum(len(table) == 1 for table in made.pairs) == len(points) % 2


def test_drawn_order_depends_on_public_ids_and_not_on_the_order_of_entry():
    ids = {3: "c", 1: "a", 2: "b"}
    assert seeded_order("seed", ids) == seeded_order("seed", dict(sorted(ids.items())))
    elsewhere = {30: "c", 10: "a", 20: "b"}
    assert [elsewhere[p] for p in seeded_order("seed", elsewhere)] == [
        ids[p] for p in seeded_order("seed", ids)
    ]
