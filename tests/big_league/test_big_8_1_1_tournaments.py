"""Whole tournaments, from the draw to the champion: what the seating does to what chapter 8
prints."""

import random
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from big_league.rules import phases, seating
from big_league.rules.phases import PHASE_EDITIONS, Record
from tests.big_league.seating_checker import faults

TWO, FOUR = (PHASE_EDITIONS.in_force(2026).finals[code] for code in ("two", "four"))
# There the Swiss system also gives numbers that are printed nowhere: 5 of 20, 9 of 26, 10 of 28, 8
# of 30.
NOT_ALL_PRINTED = {19, 20, *range(25, 31)}
CHANCE = st.randoms(use_true_random=False)


@dataclass
class Tournament:
    """A bye is a win (BIG-5); the order of equals is that of the last tables and places (BIG-4)."""

    players: int
    chance: random.Random
    wins: Counter[int] = field(default_factory=Counter)
    byes: Counter[int] = field(default_factory=Counter)
    path: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    rounds: list[tuple[seating.Table, ...]] = field(default_factory=list)

    def standings(self) -> list[int]:
        return sorted(
            range(self.players), key=lambda p: (-self.wins[p], self.path.get(p, [])[::-1])
        )

    def play(self, tables: tuple[seating.Table, ...]) -> None:
        self.rounds.append(tables)
        for number, table in enumerate(tables):
            winner = self.chance.choice(table)
            self.wins[winner] += 1
            self.byes.update(table if len(table) == 1 else ())
            for player in table:
                self.path.setdefault(player, []).append((number, int(player != winner)))

    def draw(self) -> list[int]:
        return self.chance.sample(range(self.players), self.players)


def of_pairs(players: int, rounds: int, chance: random.Random) -> Tournament:
    played = Tournament(players, chance)
    played.play(seating.draw_first_round(played.draw(), seating.sizes_of_tables(players, 2)).tables)
    for _ in range(rounds - 1):
        played.play(seating.pair_players(played.standings(), played.rounds[-1], played.byes).tables)
    return played


def through(played: Tournament) -> tuple[int, ...]:
    records = [Record(player, played.wins[player], 0) for player in played.standings()]
    return phases.through_by_losses(TWO, records, rounds=len(played.rounds))


def rounds_of(players: int) -> int:
    return phases.qualifying_rounds(TWO, players)[0][0]


@given(st.integers(3, 48), CHANCE)
def test_big_4_1_in_a_whole_tournament_nobody_meets_the_same_at_once_or_rests_twice(
    players, chance
):
    played = of_pairs(players, 4 if players > 4 else 2, chance)
    for tables in played.rounds:
        assert faults(tables, range(players), pairs=True) == []
    for before, after in zip(played.rounds, played.rounds[1:], strict=False):
        pairs = [
            {frozenset(table) for table in tables if len(table) == 2} for tables in (before, after)
        ]
        assert not pairs[0] & pairs[1]
    assert max(played.byes.values(), default=0) <= 1


@given(st.sampled_from([7, 8, 15, 16]), CHANCE)
def test_big_8_1_1_four_of_seven_or_eight_and_eight_of_fifteen_or_sixteen_always(players, chance):
    assert len(through(of_pairs(players, 3, chance))) == (4 if players < 9 else 8)


@given(st.integers(7, 32).filter(lambda players: players not in NOT_ALL_PRINTED), CHANCE)
def test_big_8_1_1_the_printed_cases_are_those_that_the_swiss_system_gives(players, chance):
    qualified = len(through(of_pairs(players, rounds_of(players), chance)))
    assert phases.plan_opening(TWO, participants=players, qualified=qualified).is_printed


@given(CHANCE)
def test_big_8_1_1_of_six_the_one_with_three_wins_is_champion_or_three_or_four_go_on(chance):
    played = of_pairs(6, 3, chance)
    best = through(played)
    assert len(best) in ((1,) if max(played.wins.values()) == 3 else (3, 4))


@pytest.mark.parametrize("players", [20, 26, 28, 30, 48])
@settings(max_examples=20)
@given(chance=CHANCE)
def test_big_8_1_1_cases_outside_the_table_end_with_a_champion_too(players, chance):
    left = qualified = through(of_pairs(players, rounds_of(players), chance))
    while len(left) > 1:
        begins = phases.plan_opening(TWO, participants=players, qualified=len(left))
        winners = [chance.choice(table) for table in phases.seat_first_phase(left, begins)]
        left = phases.order_still_in(qualified, [*left[: begins.straight], *winners])
    assert left[0] in qualified


@given(st.integers(12, 64), CHANCE)
def test_big_8_1_3_a_final_for_four_from_the_heads_of_series_to_the_last_table(players, chance):
    played = Tournament(players, chance)
    shape = seating.sizes_of_tables(players, 4)
    heads = seating.heads_of_series(players - 1, range(players), shape=shape)
    played.play(seating.draw_first_round(played.draw(), shape, heads).tables)
    for _ in range(phases.qualifying_rounds(FOUR, players)[0][0] - 1):
        played.play(seating.seat_by_standings(played.standings(), shape).tables)
    assert [faults(tables, range(players), pairs=False) for tables in played.rounds] == [[]] * len(
        played.rounds
    )
    assert all(len(set(table) & set(heads)) == 1 for table in played.rounds[0])

    count = 4 if players <= 16 else 10
    begins = phases.plan_opening(FOUR, participants=players, qualified=count)
    qualified = played.standings()[:count]
    semifinals = phases.seat_first_phase(qualified, begins)
    assert {len(table) for table in semifinals} == {4}
    if begins.straight:
        final = phases.order_still_in(
            qualified, [*qualified[: begins.straight], *map(chance.choice, semifinals)]
        )
        assert (len(final), final[:2]) == (4, tuple(qualified[:2]))
