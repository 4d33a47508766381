"""Tournaments that were never played: paired by the house's own rules, decided by a seeded chance."""

from dataclasses import dataclass, field
from itertools import count
from random import Random

from pergioco.rulekit.chance import drawn_order
from pergioco.stages import pairing
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.rules import berger, swiss
from pergioco.stages.rules.results import (
    BOTH_ABSENT,
    BYE,
    DRAW,
    EMPTY,
    FIRST,
    FIRST_ABSENT,
    SECOND,
    SECOND_ABSENT,
    parts_of,
)

Pair = tuple[int, ...]
SWISS_ROUNDS = 5
DRAWS = 0.07


@dataclass
class Tournament:
    """`absent` are those who do not come in a round; `left` maps a player to the last round that he took part in."""

    players: list[int]
    strength: dict[int, int]
    chance: Random
    seed: str
    absent: dict[int, set[int]] = field(default_factory=dict)
    left: dict[int, int] = field(default_factory=dict)
    rounds: list[RoundFacts] = field(default_factory=list)

    def play(self, pairs: list[Pair], *, decided: int = 99) -> None:
        """Adds a round; of its tables only the first ones have a result yet."""
        number = len(self.rounds) + 1
        signs = [self.sign(pair, number) if table <= decided else EMPTY for table, pair in enumerate(pairs, 1)]
        self.rounds.append(RoundFacts(number, tuple(map(table_of, count(1), pairs, signs))))

    def sign(self, pair: Pair, number: int) -> str:
        if len(pair) == 1:
            return BYE
        away = [player in self.absent.get(number, set()) for player in pair]
        if any(away):
            return {(True, True): BOTH_ABSENT, (True, False): FIRST_ABSENT}.get((away[0], away[1]), SECOND_ABSENT)
        first, second = (self.strength[player] for player in pair)
        roll, expected = self.chance.random(), 1 / (1 + 10 ** ((second - first) / 400))
        return DRAW if roll > 1 - DRAWS else FIRST if roll < expected * (1 - DRAWS) else SECOND

    def standings(self) -> list[swiss.Standing]:
        there = [player for player in self.players if self.left.get(player, 99) > len(self.rounds)]
        return pairing.standings(there, self.rounds)

    def pairs(self, number: int) -> list[Pair]:
        standings = self.standings()
        lots = drawn_order(f"{self.seed}/{number}", {s.player: str(s.player) for s in standings})
        return list(swiss.pair(standings, lots).pairs)


def table_of(number: int, pair: Pair, sign: str) -> TableFacts:
    parts = parts_of(sign, len(pair)) or ()
    return TableFacts(number, tuple(SeatFacts(player, *part) for player, part in zip(pair, parts, strict=True)))


def play_swiss(tournament: Tournament, rounds: int = SWISS_ROUNDS) -> None:
    for number in range(1, rounds + 1):
        tournament.play(tournament.pairs(number))


def play_round_robin(tournament: Tournament) -> None:
    for pairs in berger.rounds(tournament.players):
        tournament.play(pairs)
