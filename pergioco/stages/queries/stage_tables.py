"""Rounds, order and crosstable of a stage, as rows for pages and files."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from django.template.defaultfilters import floatformat
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from big_league import labels as big_league_labels
from big_league.day_facts import Day
from pergioco.core.templatetags.portal import exact
from pergioco.publishing.models import Line
from pergioco.rulekit.numbers import half_up
from pergioco.rulekit.ordering import Placed
from pergioco.stages.labels import RESULT_LABELS, WINNING_SEAT
from pergioco.stages.models import Stage
from pergioco.stages.queries.stage_view import PLACE_WIDTH, Participant, Scored, StageView
from pergioco.stages.rules.results import sign_of
from pergioco.stages.rules.standings import Part, Score, rank_scores, score_parts
from risiko_master import labels
from risiko_master.compute import FINAL, computation_kind

if TYPE_CHECKING:
    from pergioco.stages.games import Sitting

People = Mapping[int, Participant]
MEDALS = 3
MOST_UPRIGHT = 20  # columns
MARKS = {"win": "1", "draw": "½", "loss": "0"}
ABSENT = {"walkover": "+", "no_show": "−"}
BIG_DECIMALS, MASTER_DECIMALS = 2, 3


@dataclass(frozen=True)
class TableRow:
    """One table of a round. `counts` is false if its result is void; `scores` are in the order of
    `who`."""

    number: int
    who: tuple[Participant, ...]
    sign: str
    counts: bool
    scores: tuple[str, ...] = ()

    @cached_property
    def reading(self) -> str:
        return (
            str(RESULT_LABELS[self.sign])
            if self.sign
            else " · ".join(score or "–" for score in self.scores)
        )

    @property
    def others(self) -> tuple[Participant, ...]:
        return self.who[1:]

    @property
    def winner(self) -> int | None:
        return WINNING_SEAT.get(self.sign)

    @property
    def is_won_by_first(self) -> bool:
        return self.winner == 0

    @property
    def is_won_by_second(self) -> bool:
        return self.winner == 1

    @property
    def first(self) -> Participant:
        return self.who[0]

    @property
    def names(self) -> SafeString:
        return join_shown_names(self.who)

    @property
    def names_of_others(self) -> SafeString:
        return join_shown_names(self.others)

    @property
    def is_marked(self) -> bool:
        return any(one.is_marked for one in self.who)


def join_shown_names(who: Sequence[Participant]) -> SafeString:
    return (
        who[0].shown
        if len(who) == 1
        else format_html_join(", ", "{}", ((one.shown,) for one in who))
    )


@dataclass(frozen=True)
class PublicRound:
    number: int
    rows: tuple[TableRow, ...]


def list_rounds(view: StageView, people: People) -> list[PublicRound]:
    tables = groupby(view.tables(view.revision), key=lambda one: one[0][0])
    return [
        PublicRound(number, tuple(table_row(view, people, *one) for one in own))
        for number, own in tables
    ]


def table_row(
    view: StageView, people: People, place: tuple[int, int], table: "Sequence[Sitting]"
) -> TableRow:
    who = [view.same[sitting[3]] for sitting in table]
    sign = sign_of(tuple((outcome, kind) for *_place, outcome, kind, _day in table))
    return TableRow(
        place[1],
        tuple(people[pk] for pk in who),
        sign,
        view.void.isdisjoint(who),
        shown_scores(view, table),
    )


def shown_scores(view: StageView, table: "Sequence[Sitting]") -> tuple[str, ...]:
    shown = tuple(shown_score(view.scores[sitting[:PLACE_WIDTH]]) for sitting in table)
    return shown if any(shown) else ()


def shown_score(scored: Scored) -> str:
    # The bid of an auction is subtracted.
    score, bid, is_objective_made = scored
    if is_objective_made:
        return "RisiKo!"
    return "" if score is None else exact(score) + (f"−{exact(bid)}" if bid else "")


@dataclass(frozen=True)
class Classified:
    """A place in the stage. `decided`: the tie-break against the place above."""

    who: Participant
    rank: int
    points: Decimal
    decimals: int = -1  # -1: at most one, as `floatformat` does
    decided: str = ""

    @cached_property
    def value(self) -> str:
        return floatformat(self.points, self.decimals)

    @property
    def medal(self) -> int:
        return self.rank if self.rank <= MEDALS else 0

    @property
    def behind(self) -> str:
        return _("behind by: %(what)s") % {"what": self.decided}


def classify_players(view: StageView, people: People) -> list[Classified]:
    """Places of a PGM stage by points; players who share a place are sorted by name."""
    decided = [part for part in view.parts if part.outcome]
    placed: list[Placed[Score]] = rank_scores(
        score_parts(decided, is_swiss=view.stage.system == Stage.System.SWISS)
    )
    rows = [
        Classified(people[one.row.player], one.rank, Decimal(one.row.half_points) / 2)
        for one in placed
    ]
    return sorted(rows, key=lambda row: (row.rank, row.who.in_order))


@dataclass(frozen=True)
class CrossCell:
    """Results from the row's point of view, and the opponent's number."""

    marks: str = ""
    opponent: int | None = None
    is_bye: bool = False
    is_self: bool = False


@dataclass(frozen=True)
class CrossRow:
    number: int
    who: Participant
    cells: list[CrossCell]
    rank: int | None  # None: not classified
    points: Decimal | None

    @property
    def value(self) -> str:
        return "–" if self.points is None else exact(self.points)


@dataclass(frozen=True)
class Crosstable:
    """Results by opponent (round robin) or by round."""

    columns: list[int]
    rows: list[CrossRow]
    is_by_round: bool

    @property
    def is_wide(self) -> bool:
        return len(self.columns) > MOST_UPRIGHT


def build_crosstable(
    view: StageView, people: People, order: Sequence[Classified]
) -> Crosstable | None:
    if not view.parts or view.stage.circuit != Stage.Circuit.PGM:
        return None
    own: dict[int, list[Part]] = defaultdict(list)
    for part in view.parts:
        own[part.player].append(part)
    numbers = {pk: number for number, pk in enumerate(order_players(own, people, order), 1)}
    is_by_round = view.stage.system != Stage.System.ROUND_ROBIN
    columns = sorted({part.round for part in view.parts}) if is_by_round else list(numbers.values())
    make = cells_by_round if is_by_round else cells_by_opponent
    placed = {row.who.player.pk: row for row in order}
    rows = [
        cross_row(people[pk], placed.get(pk), number, make(own[pk], numbers, columns, number))
        for pk, number in numbers.items()
    ]
    return Crosstable(columns, rows, is_by_round)


def order_players(own: Iterable[int], people: People, order: Sequence[Classified]) -> list[int]:
    placed = [row.who.player.pk for row in order]
    return [*placed, *sorted(set(own).difference(placed), key=lambda pk: people[pk].in_order)]


def cross_row(
    who: Participant, place: Classified | None, number: int, cells: list[CrossCell]
) -> CrossRow:
    rank, points = (place.rank, place.points) if place else (None, None)
    return CrossRow(number, who, cells, rank, points)


def cells_by_round(
    own: list[Part], numbers: Mapping[int, int], columns: list[int], _self: int
) -> list[CrossCell]:
    there = {part.round: part for part in own}
    return [
        cross_cell(there[round_], numbers) if round_ in there else CrossCell() for round_ in columns
    ]


def cross_cell(part: Part, numbers: Mapping[int, int]) -> CrossCell:
    if part.opponent is None:
        return CrossCell(result_mark(part), is_bye=True)
    return CrossCell(result_mark(part), numbers[part.opponent])


def cells_by_opponent(
    own: list[Part], numbers: Mapping[int, int], columns: list[int], self: int
) -> list[CrossCell]:
    against: dict[int, list[str]] = defaultdict(list)
    for part in own:
        if part.opponent is not None:
            against[numbers[part.opponent]].append(result_mark(part))
    return [
        CrossCell(is_self=True) if column == self else CrossCell(" ".join(against[column]))
        for column in columns
    ]


def result_mark(part: Part) -> str:
    return ABSENT.get(part.kind) or MARKS.get(part.outcome, "")


@dataclass(frozen=True)
class CorrectedTable:
    """A table before and after a correction; None where it did not exist."""

    round: int
    table: int
    before: TableRow | None
    after: TableRow | None


def list_corrected_tables(view: StageView, people: People) -> list[CorrectedTable]:
    if view.before is None:
        return []
    old, new = (dict(view.tables(one)) for one in (view.before, view.revision))
    return [
        CorrectedTable(
            *place,
            *(
                table_row(view, people, place, own[place]) if place in own else None
                for own in (old, new)
            ),
        )
        for place in sorted(old.keys() | new.keys())
        if table_outcome(view, old.get(place)) != table_outcome(view, new.get(place))
    ]


def table_outcome(
    view: StageView, table: "Sequence[Sitting] | None"
) -> "list[tuple[object, ...]] | None":
    return (
        None
        if table is None
        else [(*sitting[3:], *view.scores[sitting[:PLACE_WIDTH]]) for sitting in table]
    )


def stage_order(view: StageView, people: People) -> list[Classified]:
    if view.stage.circuit == Stage.Circuit.PGM:
        return classify_players(view, people)
    if not view.stage.is_closed:
        return []
    if view.stage.circuit == Stage.Circuit.BIG:
        return big_order(
            Day(view.stage, view.revision), {pk: people[stays] for pk, stays in view.same.items()}
        )
    return master_order(view.published(computation_kind(view.stage.slug, FINAL)), people)


def big_order(day: Day, people: People) -> list[Classified]:
    """`people` contains every player who sat at a table."""
    return [
        Classified(
            people[one.row.player],
            one.rank,
            half_up(one.row.points, BIG_DECIMALS),
            BIG_DECIMALS,
            big_league_labels.decided_by_text(one.decided_by),
        )
        for one in day.order
    ]


def master_order(final: list[Line], people: People) -> list[Classified]:
    # As published; merged players are left out, as in the Race.
    return [
        Classified(
            people[line.player_id],
            line.rank,
            line.value,
            MASTER_DECIMALS,
            str(labels.decided_by_label(line)),
        )
        for line in final
        if line.player_id in people
    ]
