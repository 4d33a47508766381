"""A Master while it is played: the tables on the wall, named as on every public page."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.contrib.auth.models import AnonymousUser
from django.utils.functional import Promise

from pergioco.players.models import Player, User
from pergioco.stages import facts
from pergioco.stages.drafting import draft_of
from pergioco.stages.models import Stage
from pergioco.website.stages.people import Participant, participants
from risiko_master import today
from risiko_master.compute import paths, value
from risiko_master.rules.day import Day
from risiko_master.rules.points import FIVE
from risiko_master.standing_labels import GOES, points_shown, round_name, sentences

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
class Ranked:
    """A line of the ranking after both games, as it will be published when the Master is closed."""

    rank: int
    who: Participant
    points: str
    goes: str | Promise


@dataclass(frozen=True)
class Hall:
    name: str | Promise
    tables: list[Table]
    ranking: list[Ranked]
    words: list[str | Promise]


def hall_of(stage: Stage, reader: Reader) -> Hall | None:
    """Nothing before the first draw, and nothing of a correction."""
    rounds = () if stage.is_closed else today.played(draft_of(stage))
    if not rounds:
        return None
    on_the_wall, day = rounds[-1], today.day_of(stage, rounds)
    points = points_in(day, on_the_wall.number)
    ids = {seat.player for one in rounds for table in one.tables for seat in table.seats}
    people = participants(Player.objects.with_names().in_bulk(ids).values(), reader=reader)
    return Hall(
        round_name(on_the_wall.number, today.phase_of(on_the_wall)),
        [Table(table.number, seats_of(table, people, points)) for table in on_the_wall.tables],
        *qualified(day, rounds, people),
    )


def qualified(day: Day, rounds: today.Played, people: People) -> tuple[list[Ranked], list[str | Promise]]:
    """Who is through, and why so many: once both games are over."""
    if not today.are_both_games_over(rounds):
        return [], []
    goes_on = paths(day)
    rows = [
        Ranked(
            one.rank,
            people[one.row.player],
            points_shown(value(one.row.total)),
            GOES.get(goes_on.get(one.row.player, {}).get("goes", ""), ""),
        )
        for one in day.qualification
    ]
    return rows, sentences({"structure": asdict(day.structure), "played": asdict(day.played)})


def points_in(day: Day, number: int) -> dict[int, str]:
    """Of the tables that have sent."""
    tables = day.arrivals[number].values()
    return {one.player: points_shown(value(one.thousandths)) for table in tables for one in table}


def seats_of(table: facts.TableFacts, people: People, points: dict[int, str]) -> list[Seat]:
    return [Seat(people[seat.player], points.get(seat.player, "")) for seat in table.seats]
