"""The live part of a Master's public page: the current tables, and the ranking after both games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.functional import Promise

from pergioco.core.formats import format_thousandths
from pergioco.core.models import User
from pergioco.players.models import Player
from pergioco.rulekit.ordering import Placed
from pergioco.stages import facts
from pergioco.stages.models import Stage
from pergioco.stages.queries.stage_view import Participant, name_participants
from pergioco.stages.services.drafting import find_draft
from risiko_master import draft_facts
from risiko_master.compute import paths_after_two_games
from risiko_master.labels import GOES, day_sentences, round_name
from risiko_master.rules.day import Day
from risiko_master.rules.points import FIVE
from risiko_master.rules.rankings import Record

Reader = User | AnonymousUser
People = Mapping[int, Participant]


@dataclass(frozen=True)
class Seat:
    who: Participant
    points: str


@dataclass(frozen=True)
class Table:
    number: int
    seats: list[Seat]

    @property
    def is_of_five(self) -> bool:
        return len(self.seats) == FIVE


@dataclass(frozen=True)
class RankedRow:
    """A line of the ranking of a day; `way`: where the player goes on."""

    placed: Placed[Record]
    way: Mapping[str, Any]

    @property
    def rank(self) -> int:
        return self.placed.rank

    @property
    def points(self) -> str:
        return format_thousandths(self.placed.row.total)

    @property
    def goes(self) -> str | Promise:
        return GOES.get(self.way.get("goes", ""), "")


@dataclass(frozen=True)
class NamedRow(RankedRow):
    who: Participant


@dataclass(frozen=True)
class Hall:
    name: str | Promise
    tables: list[Table]
    ranking: list[NamedRow]
    words: list[str | Promise]


def read_hall(stage: Stage, reader: Reader) -> Hall | None:
    """`None` before the first draw, and during a correction."""
    rounds = () if stage.is_closed else draft_facts.read_draft_rounds(find_draft(stage))
    if not rounds:
        return None
    on_the_wall, day = rounds[-1], draft_facts.draft_day(stage, rounds)
    points = points_at_tables(day, on_the_wall.number)
    ids = {seat.player for one in rounds for table in one.tables for seat in table.seats}
    people = name_participants(
        Player.objects.with_names().in_bulk(ids).values(), stage.circuit, reader=reader
    )
    return Hall(
        round_name(on_the_wall.number, draft_facts.round_phase(on_the_wall)),
        [Table(table.number, named_seats(table, people, points)) for table in on_the_wall.tables],
        *qualified_players(day, rounds, people),
    )


def qualified_players(
    day: Day, rounds: draft_facts.Played, people: People
) -> tuple[list[NamedRow], list[str | Promise]]:
    if not draft_facts.are_both_games_over(rounds):
        return [], []
    goes_on = paths_after_two_games(day)
    rows = [
        NamedRow(one, goes_on.get(one.row.player, {}), people[one.row.player])
        for one in day.qualification
    ]
    return rows, day_sentences(day)


def points_at_tables(day: Day, number: int) -> dict[int, str]:
    tables = day.arrivals[number].values()
    return {one.player: format_thousandths(one.thousandths) for table in tables for one in table}


def named_seats(table: facts.TableFacts, people: People, points: dict[int, str]) -> list[Seat]:
    return [Seat(people[seat.player], points.get(seat.player, "")) for seat in table.seats]
