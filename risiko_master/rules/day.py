"""A whole Master, from what happened at its tables: every ranking, the structure, and who came to the finals how."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pergioco.rulekit.placing import Placed
from risiko_master.rules import semifinals
from risiko_master.rules.editions import Edition
from risiko_master.rules.final import Finish, final_ranking
from risiko_master.rules.points import Scored, Sitting, scored
from risiko_master.rules.ranking import NOWHERE, Record, ranking, with_lots
from risiko_master.rules.semifinals import Field, before_the_semifinals, by_the_referee
from risiko_master.rules.structure import Qualified, Structure, structure, with_both_games
from risiko_master.rules.substitutes import Place, finalists

QUALIFICATION, SEMIFINAL, FINAL = "qualification", "semifinal", "final"
BY_NUMBER = {1: QUALIFICATION, 2: QUALIFICATION, 3: SEMIFINAL, 4: FINAL}
GAMES = 2


@dataclass(frozen=True)
class Round:
    """Tables by their numbers. `told` is the phase where somebody said it, else it follows from the number."""

    number: int
    tables: Mapping[int, Sequence[Sitting]]
    told: str = ""

    @property
    def phase(self) -> str:
        return self.told or BY_NUMBER.get(self.number, FINAL)


@dataclass(frozen=True)
class Day:
    """What happened. `lots`: player -> position in the drawn order; `withdrew`: who told so before the semifinals;
    `decided`: how many go straight to the final and how many semifinals are played, where the referee said so."""

    rounds: Sequence[Round]
    lots: Mapping[int, int]
    edition: Edition
    withdrew: Collection[int] = field(default=frozenset())
    decided: tuple[int, int] | None = None

    @cached_property
    def arrivals(self) -> dict[int, dict[int, list[Scored]]]:
        """Round -> table -> its players in the order of arrival."""
        return {
            one.number: {number: scored(sat, self.edition) for number, sat in one.tables.items()} for one in self.rounds
        }

    def numbers(self, phase: str) -> list[int]:
        return [one.number for one in self.rounds if one.phase == phase]

    def tables(self, phase: str) -> list[list[Scored]]:
        """All tables of the phase, in the order of their numbers."""
        return [table for one in self.numbers(phase) for _number, table in sorted(self.arrivals[one].items())]

    @cached_property
    def points(self) -> dict[int, dict[int, int]]:
        """Player -> round -> thousandths."""
        found: dict[int, dict[int, int]] = {}
        for number, tables in self.arrivals.items():
            for one in (one for table in tables.values() for one in table):
                found.setdefault(one.player, {})[number] = one.thousandths
        return found

    def records(self, rounds: Sequence[int], before: Mapping[int, int]) -> list[Record]:
        """Of everybody who sat in one of these rounds."""
        return [
            Record(player, tuple(own.get(number) for number in rounds), before.get(player, NOWHERE))
            for player, own in self.points.items()
            if not own.keys().isdisjoint(rounds)
        ]

    @cached_property
    def round_1(self) -> list[Placed[Record]]:
        return ranking(self.records(self.numbers(QUALIFICATION)[:1], {}))

    @cached_property
    def tied(self) -> list[Placed[Record]]:
        """After both games, places still shared."""
        return ranking(self.records(self.numbers(QUALIFICATION), places(self.round_1)))

    @cached_property
    def qualification(self) -> list[Placed[Record]]:
        return with_lots(self.tied, self.lots) if self.is_qualified else []

    @property
    def is_qualified(self) -> bool:
        return len(self.numbers(QUALIFICATION)) >= GAMES

    @cached_property
    def wins(self) -> dict[int, int]:
        """Player -> games won among the first two."""
        found: dict[int, int] = {}
        for number in self.numbers(QUALIFICATION):
            for table in self.arrivals[number].values():
                found[table[0].player] = found.get(table[0].player, 0) + 1
        return found

    @cached_property
    def order(self) -> list[int]:
        """Those who may play on, the first one first."""
        return [one.row.player for one in with_both_games(self.qualification)]

    @cached_property
    def structure(self) -> Structure:
        tied = places(self.tied)
        return structure([Qualified(p, tied[p], self.wins.get(p, 0)) for p in self.order], self.edition)

    @cached_property
    def renounced(self) -> set[int]:
        """Before the semifinals, of those who might have played them."""
        return {player for player in self.order if player in self.withdrew}

    @cached_property
    def played(self) -> Structure:
        """What is played: renunciations before the semifinals and the referee may make it another one."""
        if self.decided is not None:
            return by_the_referee(self.structure, *self.decided)
        return before_the_semifinals(self.structure, self.order, self.renounced)

    @cached_property
    def field(self) -> Field:
        return semifinals.field(self.played, self.order, self.renounced)

    @cached_property
    def finalists(self) -> list[Place]:
        """How each seat of the finals was filled: who had a right to it and is not there, renounced."""
        tables = [[one.player for one in table] for table in self.tables(SEMIFINAL)]
        played = {player for table in tables for player in table}
        there = self.arrived.keys()
        straight = set(self.field.direct) | there - played
        direct = [player for player in self.order if player in straight - played]
        renounced = (played | set(direct)) - there
        return finalists(direct, tables, ranking=self.order, renounced=renounced)

    @cached_property
    def arrived(self) -> dict[int, int]:
        """Finalist -> place in his final."""
        return {one.player: one.place for table in self.tables(FINAL) for one in table}

    @cached_property
    def final(self) -> list[Placed[Finish]]:
        """Nothing as long as no final was played."""
        if not self.arrived:
            return []
        games = [*self.numbers(QUALIFICATION), *self.numbers(SEMIFINAL)]
        records = {record.player: record for record in self.records(games, places(self.tied))}
        players = records.keys() | self.arrived.keys()
        return final_ranking(Finish(records.get(p) or Record(p, ()), self.arrived.get(p)) for p in players)


def places(placed: Sequence[Placed[Record]]) -> dict[int, int]:
    return {one.row.player: one.rank for one in placed}
