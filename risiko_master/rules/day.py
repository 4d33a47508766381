"""A whole Master, computed from its tables: rankings, structure, finalists, final order."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pergioco.rulekit.ordering import Placed
from risiko_master.rules.editions import Edition
from risiko_master.rules.playoffs import (
    Field,
    Place,
    Qualified,
    Structure,
    find_finalists,
    find_structure,
    semifinal_field,
    structure_after_renunciations,
    structure_by_referee,
    with_both_games,
)
from risiko_master.rules.points import Scored, Sitting, score_table
from risiko_master.rules.rankings import (
    NOWHERE,
    Finish,
    Record,
    break_ties_by_lots,
    final_ranking,
    rank_records,
)

QUALIFICATION, SEMIFINAL, FINAL = "qualification", "semifinal", "final"
BY_NUMBER = {1: QUALIFICATION, 2: QUALIFICATION, 3: SEMIFINAL, 4: FINAL}
GAMES = 2


@dataclass(frozen=True)
class Round:
    """Tables by number. `entered_phase` is empty if the phase follows from the number."""

    number: int
    tables: Mapping[int, Sequence[Sitting]]
    entered_phase: str = ""

    @property
    def phase(self) -> str:
        return self.entered_phase or BY_NUMBER.get(self.number, FINAL)


@dataclass(frozen=True)
class Day:
    """`lots`: player -> position in the drawn order; `withdrew`: players who renounced before the
    semifinals; `decided`: direct finalists and semifinals, if the referee decided."""

    rounds: Sequence[Round]
    lots: Mapping[int, int]
    edition: Edition
    withdrew: Collection[int] = field(default=frozenset())
    decided: tuple[int, int] | None = None

    @cached_property
    def arrivals(self) -> dict[int, dict[int, list[Scored]]]:
        # Round -> table -> its players in the order of arrival.
        return {
            one.number: {
                number: score_table(sat, self.edition) for number, sat in one.tables.items()
            }
            for one in self.rounds
        }

    def numbers(self, phase: str) -> list[int]:
        return [one.number for one in self.rounds if one.phase == phase]

    def tables(self, phase: str) -> list[list[Scored]]:
        return [
            table
            for one in self.numbers(phase)
            for _number, table in sorted(self.arrivals[one].items())
        ]

    @cached_property
    def points(self) -> dict[int, dict[int, int]]:
        # Player -> round -> thousandths.
        found: dict[int, dict[int, int]] = {}
        for number, tables in self.arrivals.items():
            for one in (one for table in tables.values() for one in table):
                found.setdefault(one.player, {})[number] = one.thousandths
        return found

    def records(self, rounds: Sequence[int], before: Mapping[int, int]) -> list[Record]:
        return [
            Record(player, tuple(own.get(number) for number in rounds), before.get(player, NOWHERE))
            for player, own in self.points.items()
            if not own.keys().isdisjoint(rounds)
        ]

    @cached_property
    def round_1(self) -> list[Placed[Record]]:
        return rank_records(self.records(self.numbers(QUALIFICATION)[:1], {}))

    @cached_property
    def tied(self) -> list[Placed[Record]]:
        # After both games, places still shared.
        return rank_records(
            self.records(self.numbers(QUALIFICATION), places_by_player(self.round_1))
        )

    @cached_property
    def qualification(self) -> list[Placed[Record]]:
        return break_ties_by_lots(self.tied, self.lots) if self.is_qualified else []

    @property
    def is_qualified(self) -> bool:
        return len(self.numbers(QUALIFICATION)) >= GAMES

    @cached_property
    def wins(self) -> dict[int, int]:
        # Player -> games won among the first two.
        found: dict[int, int] = {}
        for number in self.numbers(QUALIFICATION):
            for table in self.arrivals[number].values():
                found[table[0].player] = found.get(table[0].player, 0) + 1
        return found

    @cached_property
    def order(self) -> list[int]:
        # Players with both games, in the order of the ranking.
        return [one.row.player for one in with_both_games(self.qualification)]

    @cached_property
    def structure(self) -> Structure:
        tied = places_by_player(self.tied)
        return find_structure(
            [Qualified(p, tied[p], self.wins.get(p, 0)) for p in self.order], self.edition
        )

    @cached_property
    def renounced(self) -> set[int]:
        return {player for player in self.order if player in self.withdrew}

    @cached_property
    def played(self) -> Structure:
        if self.decided is not None:
            return structure_by_referee(self.structure, *self.decided)
        return structure_after_renunciations(self.structure, self.order, self.renounced)

    @cached_property
    def field(self) -> Field:
        return semifinal_field(self.played, self.order, self.renounced)

    @cached_property
    def finalists(self) -> list[Place]:
        tables = [[one.player for one in table] for table in self.tables(SEMIFINAL)]
        played = {player for table in tables for player in table}
        there = self.arrived.keys()
        straight = set(self.field.direct) | there - played
        direct = [player for player in self.order if player in straight - played]
        # Who had a right to a seat and is not in a final, renounced.
        renounced = (played | set(direct)) - there
        return find_finalists(direct, tables, ranking=self.order, renounced=renounced)

    @cached_property
    def arrived(self) -> dict[int, int]:
        # Finalist -> place in his final.
        return {one.player: one.place for table in self.tables(FINAL) for one in table}

    @cached_property
    def final(self) -> list[Placed[Finish]]:
        if not self.arrived:
            return []
        games = [*self.numbers(QUALIFICATION), *self.numbers(SEMIFINAL)]
        records = {
            record.player: record for record in self.records(games, places_by_player(self.tied))
        }
        players = records.keys() | self.arrived.keys()
        return final_ranking(
            Finish(records.get(p) or Record(p, ()), self.arrived.get(p)) for p in players
        )


def places_by_player(placed: Sequence[Placed[Record]]) -> dict[int, int]:
    return {one.row.player: one.rank for one in placed}
