"""One Master as it is published: its rankings, its tables, and in words why they are as they are."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.functional import Promise

from pergioco.ledger import published
from pergioco.ledger.models import Computation, Line
from pergioco.players.models import Player, User
from pergioco.stages.models import Stage
from pergioco.website.addresses import rules_of
from pergioco.website.sheets.download import WRITERS
from pergioco.website.sheets.exports import Exports
from pergioco.website.stages.people import Participant, participants
from risiko_master import standing_labels as labels
from risiko_master.compute import FINAL, GAME, QUALIFICATION, ROUND_1, kind

Reader = User | AnonymousUser


@dataclass(frozen=True)
class Game:
    """What one game gave, and the table at which it was played."""

    round: int
    table: int
    points: str
    is_won: bool

    @property
    def anchor(self) -> str:
        return f"g{self.round}t{self.table}"


@dataclass(frozen=True)
class Row:
    """A line of a ranking. `is_last_through`: behind this one the cut is made."""

    line: Line
    who: Participant
    points: str
    games: list[Game | None]
    decided: str | Promise
    way: str | Promise
    is_last_through: bool = False


@dataclass(frozen=True)
class Seat:
    line: Line
    who: Participant
    points: str
    decided: str | Promise


@dataclass(frozen=True)
class Table:
    number: int
    anchor: str
    seats: list[Seat]

    @property
    def is_of_five(self) -> bool:
        return bool(self.seats[0].line.detail["players"] == 5)  # noqa: PLR2004 - the larger of the two sizes


@dataclass(frozen=True)
class RoundTables:
    number: int
    name: str | Promise
    tables: list[Table]


class Shown:
    """Everything is asked for once: three queries for the numbers, and those for the names."""

    def __init__(self, stage: Stage, reader: Reader) -> None:
        self.stage, self.reader = stage, reader

    @cached_property
    def publication(self) -> Any:
        return published.publication_of(self.stage.season)

    @cached_property
    def computations(self) -> dict[str, Computation]:
        """“final”, “game:1”… -> what is public of it."""
        if self.publication is None:
            return {}
        prefix = kind(self.stage.slug, "")
        rows = self.publication.computations.filter(kind__startswith=prefix).order_by("kind")
        return {row.kind.removeprefix(prefix): row for row in rows}

    @cached_property
    def lines(self) -> dict[int, list[Line]]:
        """Computation -> its lines in order."""
        found: dict[int, list[Line]] = defaultdict(list)
        for line in Line.objects.filter(computation__in=self.computations.values()).order_by("position"):
            found[line.computation_id].append(line)
        return found

    def lines_of(self, what: str) -> list[Line]:
        computation = self.computations.get(what)
        return self.lines[computation.pk] if computation else []

    @cached_property
    def people(self) -> dict[int, Participant]:
        players = {line.player_id for own in self.lines.values() for line in own}
        return participants(Player.objects.with_names().in_bulk(players).values(), reader=self.reader)

    @cached_property
    def rounds(self) -> list[int]:
        return sorted(int(what.partition(":")[2]) for what in self.computations if what.startswith(GAME))

    @cached_property
    def games(self) -> dict[tuple[int, int], Game]:
        """Player and round -> the game."""
        return {
            (line.player_id, number): Game(number, line.detail["table"], labels.points(line), line.rank == 1)
            for number in self.rounds
            for line in self.lines_of(f"{GAME}:{number}")
        }

    def standings(self, what: str) -> list[Row]:
        """Of the rankings there are: after one game, after two, at the end."""
        lines = self.lines_of(what) if what in labels.RANKINGS else []
        through = [line.position for line in lines if line.detail.get("goes") in labels.GOES_ON]
        last = max(through, default=0)
        return [self.row(what, line, is_last=line.position == last < len(lines)) for line in lines]

    def row(self, what: str, line: Line, *, is_last: bool) -> Row:
        return Row(
            line,
            self.people[line.player_id],
            labels.points(line),
            [self.games.get((line.player_id, number)) for number in self.rounds_of(what)],
            labels.decided(line),
            labels.way(line),
            is_last_through=is_last,
        )

    def rounds_of(self, what: str) -> list[int]:
        """The games that a ranking counts, and the final where it decides."""
        return self.rounds if what == FINAL else self.rounds[:1] if what == ROUND_1 else self.rounds[:2]

    @property
    def qualification(self) -> list[Row]:
        return self.standings(QUALIFICATION)

    @property
    def after_one(self) -> list[Row]:
        """Only as long as it is the last one."""
        return [] if QUALIFICATION in self.computations else self.standings(ROUND_1)

    @property
    def final(self) -> list[Row]:
        return self.standings(FINAL)

    @property
    def structure(self) -> list[str | Promise]:
        """In sentences: what the two games led to, and what renunciations made of it."""
        computation = self.computations.get(QUALIFICATION)
        return labels.sentences(computation.read) if computation else []

    @property
    def tables(self) -> list[RoundTables]:
        """The last round first."""
        return [self.round_tables(number) for number in reversed(self.rounds)]

    def round_tables(self, number: int) -> RoundTables:
        what = f"{GAME}:{number}"
        own = groupby(self.lines_of(what), key=lambda line: line.detail["table"])
        tables = [Table(table, f"g{number}t{table}", [self.seat(line) for line in lines]) for table, lines in own]
        return RoundTables(number, labels.round_name(number, self.computations[what].read["phase"]), tables)

    def seat(self, line: Line) -> Seat:
        criterion = labels.CRITERIA.get(line.decided_by)
        decided = criterion.words if criterion and line.decided_by != "table_points" else ""
        return Seat(line, self.people[line.player_id], labels.points(line), decided)

    def files(self, what: str) -> list[tuple[str, str]]:
        return [(one.upper(), reverse("risiko-standings", args=[self.stage.slug, what, one])) for one in WRITERS]

    @property
    def exports_of_qualification(self) -> Exports:
        return Exports(
            rules=rules_of(self.stage.circuit),
            files=self.files(QUALIFICATION),
            api=reverse("api-stage", args=[self.stage.slug]),
        )
