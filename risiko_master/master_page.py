"""A published Master: its rankings, tables and explanations, and its rankings as files."""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pergioco.core.addresses import rules_address
from pergioco.core.exports.download import WRITERS, ExportLinks
from pergioco.core.exports.sheet import Column, Sheet
from pergioco.core.models import User
from pergioco.players.models import Player
from pergioco.publishing import published
from pergioco.publishing.models import Computation, Line
from pergioco.publishing.queries.ranking_exports import NAME_WIDTH, person_columns
from pergioco.rulekit.numbers import to_points
from pergioco.stages.models import Stage
from pergioco.stages.queries.stage_exports import participant_cells
from pergioco.stages.queries.stage_view import Participant, name_participants
from risiko_master import labels
from risiko_master.compute import FINAL, GAME, QUALIFICATION, ROUND_1, computation_kind
from risiko_master.labels import round_name

Reader = User | AnonymousUser


@dataclass(frozen=True)
class Game:
    """What one game gave, and its table."""

    anchor: str
    points: str


@dataclass(frozen=True)
class Seat:
    line: Line
    who: Participant
    decided: str | Promise

    @property
    def points(self) -> str:
        return labels.line_points(self.line)


@dataclass(frozen=True)
class Row(Seat):
    """A line of a ranking. `is_last_through`: the last player who goes on."""

    games: list[Game | None]
    is_last_through: bool

    @property
    def way(self) -> str | Promise:
        return labels.way_label(self.line)


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


def table_anchor(number: int, table: int) -> str:
    return f"g{number}t{table}"


class PublishedMaster:
    """Three queries for the numbers, plus those for the names."""

    def __init__(self, stage: Stage, reader: Reader) -> None:
        self.stage, self.reader = stage, reader

    @cached_property
    def publication(self) -> Any:
        return published.find_publication(self.stage.season)

    @cached_property
    def computations(self) -> dict[str, Computation]:
        """“final”, “game:1”… -> published computation."""
        if self.publication is None:
            return {}
        prefix = computation_kind(self.stage.slug, "")
        rows = self.publication.computations.filter(kind__startswith=prefix).order_by("kind")
        return {row.kind.removeprefix(prefix): row for row in rows}

    @cached_property
    def lines(self) -> dict[int, list[Line]]:
        found: dict[int, list[Line]] = defaultdict(list)
        for line in Line.objects.filter(computation__in=self.computations.values()).order_by(
            "position"
        ):
            found[line.computation_id].append(line)
        return found

    def lines_of(self, what: str) -> list[Line]:
        computation = self.computations.get(what)
        return self.lines[computation.pk] if computation else []

    @cached_property
    def people(self) -> dict[int, Participant]:
        players = {line.player_id for own in self.lines.values() for line in own}
        return name_participants(
            Player.objects.with_names().in_bulk(players).values(),
            Stage.Circuit.RKM,
            reader=self.reader,
        )

    @cached_property
    def rounds(self) -> list[int]:
        return sorted(
            int(what.partition(":")[2]) for what in self.computations if what.startswith(GAME)
        )

    @cached_property
    def games(self) -> dict[tuple[int, int], Game]:
        return {
            (line.player_id, number): Game(
                table_anchor(number, line.detail["table"]), labels.line_points(line)
            )
            for number in self.rounds
            for line in self.lines_of(f"{GAME}:{number}")
        }

    def standings(self, what: str) -> list[Row]:
        lines = self.lines_of(what) if what in labels.RANKINGS else []
        through = [line.position for line in lines if line.detail.get("goes") in labels.GOES_ON]
        last = max(through, default=0)
        return [self.row(what, line, is_last=line.position == last < len(lines)) for line in lines]

    def row(self, what: str, line: Line, *, is_last: bool) -> Row:
        return Row(
            line,
            self.people[line.player_id],
            labels.decided_by_label(line),
            [self.games.get((line.player_id, number)) for number in self.rounds_of(what)],
            is_last,
        )

    def rounds_of(self, what: str) -> list[int]:
        return self.rounds[: {ROUND_1: 1, QUALIFICATION: 2}.get(what)]

    @property
    def qualification(self) -> list[Row]:
        return self.standings(QUALIFICATION)

    @property
    def after_one(self) -> list[Row]:
        # The second ranking replaces it.
        return [] if QUALIFICATION in self.computations else self.standings(ROUND_1)

    @property
    def final(self) -> list[Row]:
        return self.standings(FINAL)

    @property
    def structure(self) -> list[str | Promise]:
        computation = self.computations.get(QUALIFICATION)
        return labels.structure_sentences(computation.read) if computation else []

    @property
    def tables(self) -> list[RoundTables]:
        return [self.round_tables(number) for number in reversed(self.rounds)]

    def round_tables(self, number: int) -> RoundTables:
        what = f"{GAME}:{number}"
        own = groupby(self.lines_of(what), key=lambda line: line.detail["table"])
        tables = [
            Table(table, table_anchor(number, table), [self.seat(line) for line in lines])
            for table, lines in own
        ]
        return RoundTables(
            number, labels.round_name(number, self.computations[what].read["phase"]), tables
        )

    def seat(self, line: Line) -> Seat:
        decided = labels.decided_by_label(line) if line.decided_by != "table_points" else ""
        return Seat(line, self.people[line.player_id], decided)

    def files(self, what: str) -> list[tuple[str, str]]:
        return [
            (one.upper(), reverse("risiko-standings", args=[self.stage.slug, what, one]))
            for one in WRITERS
        ]

    @property
    def exports_of_qualification(self) -> ExportLinks:
        return ExportLinks(
            rules=rules_address(self.stage.circuit),
            files=self.files(QUALIFICATION),
            api=reverse("api-stage", args=[self.stage.slug]),
        )


def ranking_sheet(shown: PublishedMaster, what: str) -> Sheet[Row]:
    stage, stamp = shown.stage, f"v{shown.publication.number}"
    return Sheet(
        file=f"{stage.slug}-{what}-{stamp}",
        title=str(stage),
        stamp=stamp,
        columns=ranking_columns(shown, what),
        rows=shown.standings(what),
        about={"stage": stage.slug, "season": stage.season.year, "ranking": what},
    )


def ranking_columns(shown: PublishedMaster, what: str) -> list[Column[Row]]:
    return [
        Column("rank", _("Pos."), lambda row: row.line.rank, width=6),
        *person_columns(lambda row: participant_cells(row.who)),
        *(game_column(shown, number) for number in shown.rounds_of(what)),
        Column("points", _("Points"), lambda row: row.line.value, decimals=3),
        Column(
            "decided_by",
            pgettext("a place in a ranking", "Decided by"),
            lambda row: str(row.decided),
            width=NAME_WIDTH,
        ),
        Column("goes_on", _("Goes on"), lambda row: str(row.way), width=NAME_WIDTH),
    ]


def game_column(shown: PublishedMaster, number: int) -> Column[Row]:
    heading = str(round_name(number, shown.computations[f"game:{number}"].read["phase"]))
    return Column(f"game_{number}", heading, lambda row: game_points(row, number), decimals=3)


def game_points(row: Row, number: int) -> Decimal | None:
    own = row.line.detail["games"].get(str(number))
    return None if own is None else to_points(own)
