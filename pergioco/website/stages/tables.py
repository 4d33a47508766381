"""The rounds of a stage, its order and its crosstable, as rows for the page and for the files."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING

from django.template.defaultfilters import floatformat

from pergioco.rulekit.placing import Placed
from pergioco.stages.models import Stage
from pergioco.stages.result_words import READ_AS, WINNER
from pergioco.stages.rules.parts import Part
from pergioco.stages.rules.results import sign_of
from pergioco.stages.rules.standings import Score, scores, standings
from pergioco.website.stages.people import Participant
from pergioco.website.stages.seen import PLACE, Scored, Seen
from pergioco.website.templatetags.portal import exact

if TYPE_CHECKING:
    from pergioco.stages.games import Sitting

People = Mapping[int, Participant]
MOST_UPRIGHT = 20  # columns
MARKS = {"win": "1", "draw": "½", "loss": "0"}
ABSENT = {"walkover": "+", "no_show": "−"}


@dataclass(frozen=True)
class TableRow:
    """One table of a round. `counts` is false if a decision made its result void. `scores` are those of `who`, in
    their order, if there is one."""

    number: int
    who: tuple[Participant, ...]
    sign: str
    counts: bool
    scores: tuple[str, ...] = ()

    @property
    def reading(self) -> str:
        return str(READ_AS[self.sign]) if self.sign else " · ".join(score or "–" for score in self.scores)

    @property
    def others(self) -> tuple[Participant, ...]:
        return self.who[1:]

    @property
    def winner(self) -> int | None:
        return WINNER.get(self.sign)

    @property
    def is_marked(self) -> bool:
        return any(one.is_marked for one in self.who)


@dataclass(frozen=True)
class RoundRows:
    number: int
    rows: tuple[TableRow, ...]


def rounds(seen: Seen, people: People) -> list[RoundRows]:
    tables = groupby(seen.tables(seen.revision), key=lambda one: one[0][0])
    return [RoundRows(number, tuple(table_row(seen, people, *one) for one in own)) for number, own in tables]


def table_row(seen: Seen, people: People, place: tuple[int, int], table: "Sequence[Sitting]") -> TableRow:
    who = [seen.same[sitting[3]] for sitting in table]
    sign = sign_of(tuple((outcome, kind) for *_place, outcome, kind, _day in table))
    return TableRow(place[1], tuple(people[pk] for pk in who), sign, seen.void.isdisjoint(who), scores_of(seen, table))


def scores_of(seen: Seen, table: "Sequence[Sitting]") -> tuple[str, ...]:
    shown = tuple(score_shown(seen.scores[sitting[:PLACE]]) for sitting in table)
    return shown if any(shown) else ()


def score_shown(scored: Scored) -> str:
    """The bid of an auction is taken off."""
    score, bid, is_objective_made = scored
    if is_objective_made:
        return "RisiKo!"
    return "" if score is None else exact(score) + (f"−{exact(bid)}" if bid else "")


@dataclass(frozen=True)
class Classified:
    """A place in the stage. `decided`: what put it behind the one above, where the points did not."""

    who: Participant
    rank: int
    points: Decimal
    decimals: int = -1  # as many as there are, one at most
    decided: str = ""

    @property
    def value(self) -> str:
        return floatformat(self.points, self.decimals)


def classified(seen: Seen, people: People) -> list[Classified]:
    """Of a stage of PGM: by points, shared places by name."""
    decided = [part for part in seen.parts if part.outcome]
    placed: list[Placed[Score]] = standings(scores(decided, is_swiss=seen.stage.system == Stage.System.SWISS))
    rows = [Classified(people[one.row.player], one.rank, Decimal(one.row.half_points) / 2) for one in placed]
    return sorted(rows, key=lambda row: (row.rank, row.who.in_order))


@dataclass(frozen=True)
class Cell:
    """What happened: each result seen from the row's player, and the number of the other one."""

    marks: str = ""
    opponent: int | None = None
    is_bye: bool = False
    is_self: bool = False


@dataclass(frozen=True)
class CrossRow:
    number: int
    who: Participant
    cells: list[Cell]
    rank: int | None  # none for who is not classified
    points: Decimal | None


@dataclass(frozen=True)
class Crosstable:
    """Everybody against everybody, or round by round."""

    columns: list[int]
    rows: list[CrossRow]
    is_by_round: bool

    @property
    def is_wide(self) -> bool:
        """Too wide for a sheet of paper that stands."""
        return len(self.columns) > MOST_UPRIGHT


def crosstable(seen: Seen, people: People, order: Sequence[Classified]) -> Crosstable | None:
    if not seen.parts or seen.stage.circuit != Stage.Circuit.PGM:
        return None
    own: dict[int, list[Part]] = defaultdict(list)
    for part in seen.parts:
        own[part.player].append(part)
    numbers = {pk: number for number, pk in enumerate(in_order(own, people, order), 1)}
    is_by_round = seen.stage.system != Stage.System.ROUND_ROBIN
    columns = sorted({part.round for part in seen.parts}) if is_by_round else list(numbers.values())
    make = cells_by_round if is_by_round else cells_by_opponent
    placed = {row.who.player.pk: row for row in order}
    rows = [
        cross_row(people[pk], placed.get(pk), number, make(own[pk], numbers, columns, number))
        for pk, number in numbers.items()
    ]
    return Crosstable(columns, rows, is_by_round)


def in_order(own: Iterable[int], people: People, order: Sequence[Classified]) -> list[int]:
    """The classified, then by name who played without a place."""
    placed = [row.who.player.pk for row in order]
    return [*placed, *sorted(set(own).difference(placed), key=lambda pk: people[pk].in_order)]


def cross_row(who: Participant, place: Classified | None, number: int, cells: list[Cell]) -> CrossRow:
    rank, points = (place.rank, place.points) if place else (None, None)
    return CrossRow(number, who, cells, rank, points)


def cells_by_round(own: list[Part], numbers: Mapping[int, int], columns: list[int], _self: int) -> list[Cell]:
    there = {part.round: part for part in own}
    return [cell_of(there[round_], numbers) if round_ in there else Cell() for round_ in columns]


def cell_of(part: Part, numbers: Mapping[int, int]) -> Cell:
    if part.opponent is None:
        return Cell(mark(part), is_bye=True)
    return Cell(mark(part), numbers[part.opponent])


def cells_by_opponent(own: list[Part], numbers: Mapping[int, int], columns: list[int], self: int) -> list[Cell]:
    against: dict[int, list[str]] = defaultdict(list)
    for part in own:
        if part.opponent is not None:
            against[numbers[part.opponent]].append(mark(part))
    return [Cell(is_self=True) if column == self else Cell(" ".join(against[column])) for column in columns]


def mark(part: Part) -> str:
    return ABSENT.get(part.kind) or MARKS.get(part.outcome, "")


@dataclass(frozen=True)
class Corrected:
    """A table before and after a correction; nothing where there was none."""

    round: int
    table: int
    before: TableRow | None
    after: TableRow | None


def corrected(seen: Seen, people: People) -> list[Corrected]:
    """The tables that the latest correction changed."""
    if seen.before is None:
        return []
    old, new = (dict(seen.tables(one)) for one in (seen.before, seen.revision))
    return [
        Corrected(*place, *(table_row(seen, people, place, own[place]) if place in own else None for own in (old, new)))
        for place in sorted(old.keys() | new.keys())
        if facts_of(seen, old.get(place)) != facts_of(seen, new.get(place))
    ]


def facts_of(seen: Seen, table: "Sequence[Sitting] | None") -> "list[tuple[object, ...]] | None":
    """Who sat there, and what came of it."""
    return None if table is None else [(*sitting[3:], *seen.scores[sitting[:PLACE]]) for sitting in table]
